import { useEffect, useState } from 'react';
import { cartMessages } from '../../shared/cartMessages';
import type { Schema } from '../../shared/contract';
import { outboxMessages, queuedMessages } from '../../shared/outbox';
import { useRefused, useWaiting } from '../outbox/outbox';
import { useIsOnline } from '../server/reachability';
import { Badge } from '../ui/Badge';
import { LaterIcon } from '../ui/LaterIcon';
import notice from './CartNotice.module.css';
import { useLineState } from './lineState';
import { RefusedAnswers } from './RefusedChanges';

const marks = {
  queued: { tone: 'warn', icon: <LaterIcon name="clock" size={14} /> },
  syncing: { tone: 'warn', icon: <LaterIcon name="sync" size={14} /> },
  synced: { tone: 'success', icon: <LaterIcon name="check" size={14} /> },
} as const satisfies Record<SyncMark, object>;

const sentences = { ...outboxMessages, queued: queuedMessages.offline };

/** The state of a line's changes: waiting, done, or rejected with a choice for the user. */
export function LineSync({ line, userId }: { line: Schema<'CartItem'>; userId: string }) {
  const { waiting, refused, reason, retry, discard } = useLineState(userId, line.productId);
  const mark = useSyncMark(waiting.length, refused.length);
  if (refused.length > 0) {
    return (
      <td className={notice['notice']} data-review="">
        <Badge tone="error">{reason?.message ?? cartMessages.updateCartItem.failure}</Badge>
        <RefusedAnswers onRetry={retry} onDiscard={discard} />
      </td>
    );
  }
  if (!mark) return null;
  return (
    <td className={notice['notice']}>
      <Badge {...marks[mark]}>{sentences[mark]}</Badge>
    </td>
  );
}

/** Announces the state once for all lines. */
export function SyncAnnouncement({ userId }: { userId: string }) {
  const mark = useSyncMark(useWaiting(userId).length, useRefused(userId).length);
  return <output className="sr-only">{mark && sentences[mark]}</output>;
}

type SyncMark = 'queued' | 'syncing' | 'synced';

const syncedMs = 2000;
const soonMs = 1000;

/**
 * The mark of unsent changes: queued, syncing, then synced for two seconds. Changes that the server answers within a
 * second get no mark. Changes that end offline or are rejected were not synced.
 * @param count the number of unsent changes
 */
function useSyncMark(count: number, refused: number): SyncMark | undefined {
  const isOnline = useIsOnline();
  const [mark, setMark] = useState<SyncMark>();
  useEffect(() => {
    const { next, afterMs } = nextMark(mark, count, isOnline, refused > 0);
    if (next === mark) return undefined;
    const timer = setTimeout(() => setMark(next), afterMs);
    return () => clearTimeout(timer);
  }, [mark, count, isOnline, refused]);
  return mark;
}

function nextMark(mark: SyncMark | undefined, count: number, isOnline: boolean, isRefused: boolean) {
  if (count > 0 && !isOnline) return { next: 'queued', afterMs: 0 } as const;
  if (count > 0) return { next: 'syncing', afterMs: mark ? 0 : soonMs } as const;
  const wasUnsent = mark === 'queued' || mark === 'syncing';
  if (wasUnsent) return { next: isOnline && !isRefused ? 'synced' : undefined, afterMs: 0 } as const;
  return { next: undefined, afterMs: syncedMs };
}
