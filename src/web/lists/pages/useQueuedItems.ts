import { useEffect, useState } from 'react';
import { useIsOnline } from '../../server/reachability';
import { useUnsentItems } from '../core/queries';

const soonMs = 1000;
const none: ReadonlySet<string> = new Set();

/** @returns the products with unsent changes, except during the first second of an online send */
export function useQueuedItems(userId: string, listId: string): ReadonlySet<string> {
  const unsent = useUnsentItems(userId, listId);
  const isOnline = useIsOnline();
  const [isLate, setLate] = useState(false);
  const isWaiting = unsent.size > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLate(true), soonMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isLate || !isOnline ? unsent : none;
}
