import { chakra } from '@chakra-ui/react/styled-system';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
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
export function useLeaveGuard(isUnsaved: boolean): { question: ReactNode; letGo: () => void } {
  const latest = useRef(isUnsaved);
  const isLetGo = useRef(false);
  useEffect(() => {
    latest.current = isUnsaved;
  });
  // a session that ended by itself leaves the form in any case, and useStaffDraft saves its changes
  const holds = useCallback(() => latest.current && !isLetGo.current && session.get() !== null, []);
  const { status, proceed, reset } = useBlocker({
    // evaluated at navigation time, because a form may be left right after it was saved
    shouldBlockFn: ({ current, next }) => holds() && current.pathname !== next.pathname,
    enableBeforeUnload: holds,
    withResolver: true,
  });
  const [logout, setLogout] = useState<{ goOn: () => void }>();
  useEffect(
    () =>
      askBeforeLogout((goOn) => {
        if (!holds()) return false;
        setLogout({ goOn });
        return true;
      }),
    [holds],
  );
  const letGo = useCallback(() => {
    isLetGo.current = true;
  }, []);
  if (!logout) return { question: status === 'blocked' && <LeaveDialog onStay={reset} onLeave={proceed} />, letGo };
  const stay = () => setLogout(undefined);
  const leave = () => {
    stay();
    logout.goOn();
  };
  return { question: <LeaveDialog onStay={stay} onLeave={leave} />, letGo };
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
