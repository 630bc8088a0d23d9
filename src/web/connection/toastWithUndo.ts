import { toast } from '../ui/toast';
import { queuedSentence } from './queuedSentence';

/**
 * Shows the outcome of a change with an Undo button; shows `success` only if the server has done it.
 * @param answer the outbox's result
 * @param onPress the Undo action; false when there is nothing to undo
 */
export function toastWithUndo(answer: unknown, success: string, onPress: (() => void) | false): void {
  const queuedMessage = queuedSentence(answer);
  const undo = onPress ? { label: 'Undo', onPress } : undefined;
  if (queuedMessage) toast.info(queuedMessage, undo);
  else toast.success(success, undo);
}
