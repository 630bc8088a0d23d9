import { initialsOf } from '../../shared/initials';
import styles from './Initials.module.css';

/** The initials of the user's name in a disc, beside a label. */
export const Initials = ({ fullName }: { fullName: string }) => (
  <span className={styles['initials']} aria-hidden="true">
    {initialsOf(fullName)}
  </span>
);
