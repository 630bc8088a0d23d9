import { type ReactNode, useState } from 'react';
import { adminMessages } from '../../../shared/admin';
import { ConfirmDialog } from '../../ui/ConfirmDialog';

type Words = Record<'title' | 'text' | 'action', string>;
const leaving: Words = { title: adminMessages.leaveTitle, text: adminMessages.leaveText, action: adminMessages.leave };

/**
 * Asks before Esc, Cancel or the cross closes a dialog with unsaved changes. Leaving the page itself is guarded by
 * useLeaveGuard.
 * @returns the function that closes the dialog, and the confirmation to render in it
 */
export function useCloseGuard(
  isUnsaved: boolean,
  onClose: () => void,
  words: Partial<Words> = {},
): { close: () => void; question: ReactNode } {
  const [isAsking, setAsking] = useState(false);
  return {
    close: () => (isUnsaved ? setAsking(true) : onClose()),
    question: isAsking && (
      <ConfirmDialog {...leaving} {...words} onConfirm={onClose} onClose={() => setAsking(false)} />
    ),
  };
}
