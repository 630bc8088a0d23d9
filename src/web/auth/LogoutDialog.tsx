import { useRef, useState } from 'react';
import { logoutSays } from '../../shared/authSays';
import { intentSays } from '../../shared/intent';
import { outboxSays } from '../../shared/outbox';
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
 * Asks what becomes of changes that were not sent. Sending needs a connection.
 * Rule: docs/rules/offline.md, Logging out with unsent changes
 */
export function LogoutDialog() {
  const stay = useRef<HTMLButtonElement>(null);
  const isOnline = useIsOnline();
  const [isSending, setSending] = useState(false);
  const { mutate: logOut, isPending } = useLogOutNow();
  const [userId] = useState(() => session.get()?.id ?? '');
  const intent = useIntent(userId);
  const [count] = useState(() => outbox.countUnsent(userId)); // what is asked stays as it is while it is read
  const { close } = logoutQuestion;
  const discard = () => logOut(undefined, { onSettled: close });
  const send = async () => {
    setSending(true);
    await outbox.flush();
    setSending(false);
    if (outbox.countUnsent(userId) === 0) discard();
    else toast.error(outboxSays.couldNotSend);
  };
  return (
    <Modal
      title={count > 0 ? logoutSays.title : intentSays.logoutTitle}
      role="alertdialog"
      onClose={close}
      initialFocus={stay}
    >
      {count > 0 && <p className="muted">{logoutSays.unsent(count)}</p>}
      {intent && <p className="muted">{intentSays.logout}</p>}
      <ModalActions onClose={close} closeText={logoutSays.stay} safe={stay}>
        <ActionButton
          colorPalette="error"
          variant={isOnline ? 'outline' : 'solid'}
          isBusy={isPending}
          onClick={discard}
        >
          {count > 0 ? logoutSays.discard : intentSays.logoutAction}
        </ActionButton>
        {isOnline && count > 0 && (
          <ActionButton isBusy={isSending} onClick={() => void send()}>
            {logoutSays.send}
          </ActionButton>
        )}
      </ModalActions>
    </Modal>
  );
}
