import { useEffect, useState } from 'react';
import { useIsOnline } from '../offline/useIsOnline';

export type SyncMark = 'queued' | 'syncing' | 'synced';

const syncedMs = 2000;
const soonMs = 1000;

/**
 * What is said of changes on their way: that they wait, that they are being sent, and for two seconds that they were. A
 * change that the server has made within a second is not spoken of.
 * @param count how many of them there are
 */
export function useSyncMark(count: number): SyncMark | undefined {
  const isOnline = useIsOnline();
  const [mark, setMark] = useState<SyncMark>();
  useEffect(() => {
    const { next, afterMs } = comingMark(mark, count, isOnline);
    if (next === mark) return undefined;
    const timer = setTimeout(() => setMark(next), afterMs);
    return () => clearTimeout(timer);
  }, [mark, count, isOnline]);
  return mark;
}

function comingMark(mark: SyncMark | undefined, count: number, isOnline: boolean) {
  if (count > 0 && !isOnline) return { next: 'queued', afterMs: 0 } as const;
  if (count > 0) return { next: 'syncing', afterMs: mark ? 0 : soonMs } as const;
  if (mark === 'queued' || mark === 'syncing') return { next: 'synced', afterMs: 0 } as const;
  return { next: undefined, afterMs: syncedMs };
}
