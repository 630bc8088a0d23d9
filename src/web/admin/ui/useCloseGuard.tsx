import { type ReactNode, useState } from 'react';
import { adminMessages } from '../../../shared/admin';
import { ConfirmDialog } from '../../ui/ConfirmDialog';

type Words = Record<'title' | 'text' | 'action', string>;
const leaving: Words = { title: adminMessages.leaveTitle, text: adminMessages.leaveText, action: adminMessages.leave };

/**
 * Asks before a dialog is closed by Esc, Cancel or its cross while something in it is not saved. What leaves the page
 * itself is asked about by useLeaveGuard.
 * @returns what these close it with, and the question, to be rendered in the dialog
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
