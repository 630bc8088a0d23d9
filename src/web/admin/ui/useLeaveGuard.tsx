import { chakra } from '@chakra-ui/react/styled-system';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { adminMessages } from '../../../shared/admin';
import { askBeforeLogout } from '../../auth/logoutGuard';
import { session } from '../../server/session';
import { Button } from '../../ui/Button';
import { Modal, ModalActions } from '../../ui/Modal';

/**
 * Asks before the user leaves a form with unsaved changes, including by logout; when the tab closes, the browser shows
 * its own prompt.
 * @returns the dialog, to be rendered with the form, and a function that allows leaving after a save
 */
export function useLeaveGuard(isUnsaved: boolean): { question: ReactNode; allowLeaving: () => void } {
  const latest = useRef(isUnsaved);
  const mayLeave = useRef(false);
  // as soon as the saved form is shown: it may be left in the same moment
  useLayoutEffect(() => {
    latest.current = isUnsaved;
  });
  // a session that ended by itself leaves the form in any case, and useStaffDraft saves its changes
  const mustAsk = useCallback(() => latest.current && !mayLeave.current && session.get() !== null, []);
  const { status, proceed, reset } = useBlocker({
    // evaluated at navigation time, because a form may be left right after it was saved
    shouldBlockFn: ({ current, next }) => mustAsk() && current.pathname !== next.pathname,
    enableBeforeUnload: mustAsk,
    withResolver: true,
  });
  const [logout, setLogout] = useState<{ resume: () => void }>();
  useEffect(
    () =>
      askBeforeLogout((resume) => {
        if (!mustAsk()) return false;
        setLogout({ resume });
        return true;
      }),
    [mustAsk],
  );
  const allowLeaving = useCallback(() => {
    mayLeave.current = true;
  }, []);
  if (!logout)
    return { question: status === 'blocked' && <LeaveDialog onStay={reset} onLeave={proceed} />, allowLeaving };
  const stay = () => setLogout(undefined);
  const leave = () => {
    stay();
    logout.resume();
  };
  return { question: <LeaveDialog onStay={stay} onLeave={leave} />, allowLeaving };
}

function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const stay = useRef<HTMLButtonElement>(null);
  return (
    <Modal title={adminMessages.leaveTitle} role="alertdialog" onClose={onStay} initialFocus={stay}>
      <chakra.p color="fg.muted">{adminMessages.leaveText}</chakra.p>
      <ModalActions onClose={onStay} closeText={adminMessages.stay} safe={stay}>
        <Button colorPalette="error" onClick={onLeave}>
          {adminMessages.leave}
        </Button>
      </ModalActions>
    </Modal>
  );
}
