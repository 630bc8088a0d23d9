import type { MutationMeta } from '@tanstack/react-query';
import { type ApiError, isRejection } from '../../server/errors';
import type { KeyHeader } from '../../server/keys';
import { keyOfPart } from '../keyOfPart';
import { toast } from '../../ui/toast';
import { useStaffChange } from '../staffCalls';

/** The most rows in one go: each is a separate call, so more would take too long. */
export const maxBulkRows = 50;

interface Options<Item extends { id: string }> {
  /**
   * Makes one change. @returns the change that undoes it, or why it was skipped; undefined if there was nothing to
   * change
   */
  change: (item: Item, keyed: KeyHeader) => Promise<Item | Skipped | undefined>;
  /** The message about the changed and the skipped items. */
  sentence: (count: number, items: Item[], skipped: string[]) => string;
  /** How long each change can be undone. */
  undoMs?: number;
  /** Called if at least one item was changed. */
  onDone?: (() => unknown) | undefined;
  meta: MutationMeta;
}

/** The row and the reason: '#1003 (refunded)'. */
interface Skipped {
  skipped: string;
}

/**
 * Changes several rows one after the other, each in a call with its own idempotency key, so a rejected one does not stop
 * the others. Undo reverts all changed ones together.
 */
export function useBulkChange<Item extends { id: string }>({ change, sentence, undoMs, onDone, meta }: Options<Item>) {
  const send = async (items: Item[], keyed: KeyHeader) => {
    const [undoing, skipped, rejections]: [Item[], string[], ApiError[]] = [[], [], []];
    const endsAt = undoMs && Date.now() + undoMs; // the time limit of the first change, which ends earliest
    for (const item of items) {
      try {
        const before = await change(item, keyOfPart(keyed, item.id));
        if (before && 'skipped' in before) skipped.push(before.skipped);
        else if (before) undoing.push(before);
      } catch (error) {
        if (!isRejection(error)) throw error; // a retry continues after the last finished row
        rejections.push(error);
      }
    }
    return { undoing, skipped, rejections, endsAt };
  };
  const showResult = (
    { undoing, skipped, rejections: [rejection], endsAt }: Awaited<ReturnType<typeof send>>,
    items: Item[],
    undo?: () => void,
  ) => {
    const text = sentence(undoing.length, items, skipped);
    if (rejection) toast.error(rejection.message);
    if (undoing.length === 0) {
      if (skipped.length > 0) return toast.warning(text);
      return rejection ? undefined : toast.info(text);
    }
    return toast.success(text, undo && { label: 'Undo', onPress: undo, ...(endsAt && { endsAt }) });
  };
  const { mutate: undo } = useStaffChange({ send, onSuccess: showResult, meta });
  return useStaffChange({
    send,
    onSuccess: (outcome, items: Item[]) => {
      showResult(outcome, items, () => undo(outcome.undoing));
      return outcome.undoing.length > 0 ? onDone?.() : undefined;
    },
    meta,
  });
}
