import { offlineMessages } from '../../shared/offline';
import { Icon } from '../ui/Icon';
import styles from './ConnectionNotice.module.css';

interface Props {
  /** What cannot be done now: 'Checkout'. */
  what: string;
  /** For the `aria-describedby` of the button that waits. */
  id?: string;
  /** What is safe meanwhile. */
  more?: string;
}

/** Why a button waits for a connection; above the button. */
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
