import { offlineMessages } from '../../shared/offline';
import { Icon } from '../ui/Icon';
import styles from './ConnectionNotice.module.css';

interface Props {
  /** What is unavailable now: 'Checkout'. */
  what: string;
  /** For the disabled button's `aria-describedby`. */
  id?: string;
  /** What is safe meanwhile. */
  more?: string;
}

/** Explains why a button is disabled while offline; shown above the button. */
export function ConnectionNotice({ what, id, more }: Props) {
  const sentence = offlineMessages.needsConnection(what);
  return (
    <p id={id} className={styles['notice']}>
      <Icon name="cloudOff" />
      <span>
        {more ? <b>{sentence}</b> : sentence}
        {more}
      </span>
    </p>
  );
}
