import { useRef, useState } from 'react';
import { logoutSays, offlineSays } from '../../shared/offline';
import { session } from '../api/session';
import { outbox } from '../offline/outbox';
import { useIsOnline } from '../offline/useIsOnline';
import { ActionButton } from '../ui/ActionButton';
import { Button } from '../ui/Button';
import { Modal, ModalActions } from '../ui/Modal';
import { toast } from '../ui/toast';
import { countUnsent, useLogOutNow } from './queries';
import { logoutQuestion } from './logoutQuestion';

/** Asks what becomes of changes that were not sent. Sending needs a connection. Source: decisions §2 */
export function LogoutDialog() {
  const stay = useRef<HTMLButtonElement>(null);
  const isOnline = useIsOnline();
  const [isSending, setSending] = useState(false);
  const { mutate: logOut, isPending } = useLogOutNow();
  const [userId] = useState(() => session.get()?.id ?? '');
  const { close } = logoutQuestion;
  const discard = () => logOut(undefined, { onSettled: close });
  const send = async () => {
    setSending(true);
    await outbox.flush();
    setSending(false);
    if (countUnsent(userId) === 0) discard();
    else toast.error(offlineSays.couldNotSend);
  };
  return (
    <Modal title={logoutSays.title} role="alertdialog" onClose={close} initialFocus={stay}>
      <p className="muted">{logoutSays.unsent(countUnsent(userId))}</p>
      <ModalActions>
        <Button ref={stay} variant="outline" onClick={close}>
          {logoutSays.stay}
        </Button>
        <ActionButton
          colorPalette="error"
          variant={isOnline ? 'outline' : 'solid'}
          isBusy={isPending}
          onClick={discard}
        >
          {logoutSays.discard}
        </ActionButton>
        {isOnline && (
          <ActionButton isBusy={isSending} onClick={() => void send()}>
            {logoutSays.send}
          </ActionButton>
        )}
      </ModalActions>
    </Modal>
  );
}
