import { useEffect, useState } from 'react';
import { connectionMessages } from '../../shared/connection';
import { useSession } from '../server/session';
import { visitor } from '../outbox/entry';
import { markMissingPictures } from './missingPictures';
import { useAsOf } from './AsOf';
import { savedTime } from './savedTime';
import { useIsOnline } from '../server/reachability';
import { useWaiting } from '../outbox/outbox';
import { Icon } from '../ui/Icon';
import styles from './OfflineBanner.module.css';

const backOnlineMs = 3000;

/**
 * Below the header, in the document flow: that the shop is offline, how old the products are, and how many changes
 * wait.
 */
export function OfflineBanner() {
  const isOnline = useIsOnline();
  const isReconnected = useIsReconnected(isOnline);
  const count = useWaiting(useSession()?.id ?? visitor).length;
  const asOf = useAsOf();
  useEffect(markMissingPictures, []);
  if (isOnline && !isReconnected) return <output />;
  if (isOnline)
    return (
      <output className={`${styles['banner']} ${styles['back']}`}>
        <span className={`wrap ${styles['line']}`}>
          <Icon name="leaf" />
          {connectionMessages.backOnline}
        </span>
      </output>
    );
  return (
    <output className={styles['banner']}>
      <span className={`wrap ${styles['line']}`}>
        <Icon name="cloudOff" />
        <span>
          {navigator.onLine ? connectionMessages.unreachable : connectionMessages.banner}{' '}
          {asOf !== undefined && <span className={styles['time']}>{connectionMessages.asOf(savedTime(asOf))}</span>}
          {count > 0 && navigator.standalone === false && (
            <span className={styles['time']}> {connectionMessages.mayBeDeleted}</span>
          )}
        </span>
        {count > 0 && <span className={styles['count']}>{connectionMessages.count(count)}</span>}
      </span>
    </output>
  );
}

/** @returns true for three seconds after the connection is back */
function useIsReconnected(isOnline: boolean): boolean {
  const [isReconnected, setReconnected] = useState(false);
  useEffect(() => {
    if (isOnline) return undefined;
    return () => setReconnected(true); // runs when the offline period ends
  }, [isOnline]);
  useEffect(() => {
    if (!isReconnected) return undefined;
    const timer = setTimeout(() => setReconnected(false), backOnlineMs);
    return () => clearTimeout(timer);
  }, [isReconnected]);
  return isReconnected;
}
