import { queuedSentence } from '../connection/queuedSentence';
import { toast } from '../ui/toast';

/**
 * Says what became of a change, with Undo: that it is done only where the server did it.
 * @param answer what the outbox answered
 */
export function sayWithUndo(answer: unknown, success: string, onPress: () => void): void {
  const later = queuedSentence(answer);
  const undo = { label: 'Undo', onPress };
  if (later) toast.info(later, undo);
  else toast.success(success, undo);
}
