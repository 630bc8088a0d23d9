import { Link } from '@tanstack/react-router';
import { intentMessages } from '../../shared/intent';
import notice from '../connection/ConnectionNotice.module.css';
import { useIsOnline } from '../server/reachability';
import { Button } from '../ui/Button';
import { LaterIcon } from '../ui/LaterIcon';
import { useGiveUp, useIntent } from './intent';
import styles from './WaitingNotice.module.css';

/** Shown in the cart: its order is waiting for a connection. */
export function WaitingNotice({ userId }: { userId: string }) {
  const intent = useIntent(userId);
  const cancel = useGiveUp();
  const isOnline = useIsOnline();
  if (!intent || isOnline) return null; // online, the banner says so
  return (
    <output className={notice['notice']}>
      <LaterIcon name="clock" />
      <span>
        <b>{intentMessages.waits}</b>
        {intentMessages.kept}
        <span className={styles['ways']}>
          <Link to="/checkout" className="link">
            Change
          </Link>
          <Button size="sm" variant="ghost" onClick={() => void cancel(intent)}>
            {intentMessages.cancel}
          </Button>
        </span>
      </span>
    </output>
  );
}
