import { cartSays } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { offlineSays } from '../../shared/offline';
import { useLineState, useWaiting } from '../offline/useOutbox';
import { Badge } from '../ui/Badge';
import notice from './CartNotice.module.css';
import { RefusedAnswers } from './RefusedChanges';
import { type SyncMark, useSyncMark } from './useSyncMark';

const marks = {
  queued: { tone: 'warn', icon: 'clock' },
  syncing: { tone: 'warn', icon: 'sync' },
  synced: { tone: 'success', icon: 'check' },
} as const satisfies Record<SyncMark, object>;

/** What becomes of a line's changes: they wait, they are done, or the shop refused them and the user decides. */
export function LineSync({ line, userId }: { line: Schema<'CartItem'>; userId: string }) {
  const { waiting, refused, reason, retry, discard } = useLineState(userId, line.productId);
  const mark = useSyncMark(waiting.length);
  if (refused.length > 0) {
    return (
      <td className={notice['notice']}>
        <Badge tone="error">{reason?.message ?? cartSays.updateCartItem.failure}</Badge>
        <RefusedAnswers onRetry={retry} onDiscard={discard} />
      </td>
    );
  }
  if (!mark) return null;
  return (
    <td className={notice['notice']}>
      <Badge {...marks[mark]}>{offlineSays[mark]}</Badge>
    </td>
  );
}

/** Says it once for all lines. */
export function SyncAnnouncement({ userId }: { userId: string }) {
  const mark = useSyncMark(useWaiting(userId).length);
  return <output className="sr-only">{mark && offlineSays[mark]}</output>;
}
