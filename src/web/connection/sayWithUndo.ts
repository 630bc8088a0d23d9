import { toast } from '../ui/toast';
import { queuedSentence } from './queuedSentence';

/**
 * Says what became of a change, with Undo: that it is done only where the server did it.
 * @param answer what the outbox answered
 * @param onPress what Undo does; false when nothing can be undone
 */
export function sayWithUndo(answer: unknown, success: string, onPress: (() => void) | false): void {
  const later = queuedSentence(answer);
  const undo = onPress ? { label: 'Undo', onPress } : undefined;
  if (later) toast.info(later, undo);
  else toast.success(success, undo);
}
