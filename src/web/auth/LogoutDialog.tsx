import { useRef, useState } from 'react';
import { logoutMessages } from '../../shared/authMessages';
import { intentMessages } from '../../shared/intent';
import { outboxMessages } from '../../shared/outbox';
import { outbox } from '../outbox/outbox';
import { useIntent } from '../waiting/intent';
import { useIsOnline } from '../server/reachability';
import { session } from '../server/session';
import { ActionButton } from '../ui/ActionButton';
import { Modal, ModalActions } from '../ui/Modal';
import { toast } from '../ui/toast';
import { logoutQuestion } from './logoutQuestion';
import { useLogOutNow } from './queries';

/**
 * Asks what to do with unsent changes. Sending requires a connection.
 * Rule: docs/rules/offline.md, Logging out with unsent changes
 */
export function LogoutDialog() {
  const stay = useRef<HTMLButtonElement>(null);
  const isOnline = useIsOnline();
  const [isSending, setSending] = useState(false);
  const { mutate: logOut, isPending } = useLogOutNow();
  const [userId] = useState(() => session.get()?.id ?? '');
  const intent = useIntent(userId);
  const [count] = useState(() => outbox.countUnsent(userId)); // stays constant while the dialog is open
  const { close } = logoutQuestion;
  const discard = () => logOut(undefined, { onSettled: close });
  const send = async () => {
    setSending(true);
    await outbox.flush();
    setSending(false);
    if (outbox.countUnsent(userId) === 0) discard();
    else toast.error(outboxMessages.couldNotSend);
  };
  return (
    <Modal
      title={count > 0 ? logoutMessages.title : intentMessages.logoutTitle}
      role="alertdialog"
      onClose={close}
      initialFocus={stay}
    >
      {count > 0 && <p className="muted">{logoutMessages.unsent(count)}</p>}
      {intent && <p className="muted">{intentMessages.logout}</p>}
      <ModalActions onClose={close} closeText={logoutMessages.stay} safe={stay}>
        <ActionButton
          colorPalette="error"
          variant={isOnline ? 'outline' : 'solid'}
          isBusy={isPending}
          onClick={discard}
        >
          {count > 0 ? logoutMessages.discard : intentMessages.logoutAction}
        </ActionButton>
        {isOnline && count > 0 && (
          <ActionButton isBusy={isSending} onClick={() => void send()}>
            {logoutMessages.send}
          </ActionButton>
        )}
      </ModalActions>
    </Modal>
  );
}
