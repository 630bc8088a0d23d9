import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { contactFormMessages } from '../../shared/contact';
import type { Schema } from '../../shared/contract';
import { useSession } from '../server/session';
import { outbox, useRefused, useWaiting } from '../outbox/outbox';
import { type Entry, visitor } from '../outbox/entry';

/** The sender of the messages sent and shown here: the signed-in user or a visitor. */
export const useSender = (): string => useSession()?.id ?? visitor;

interface Sending {
  /** The message is stored on this device, or only in this page's memory if `isKept` is false. */
  onQueued: (isKept: boolean) => void;
  /** The message was sent, and the page is about to be left. */
  onSent: () => void;
}

/** Sends a message now or once there is a connection; only a sent message leads to /thankyoupage. */
export function useSendMessage({ onQueued, onSent }: Sending) {
  const navigate = useNavigate();
  const userId = useSender();
  return useMutation({
    mutationFn: (message: Schema<'ContactMessage'>) => outbox.send('createContactMessage', { userId, message }),
    onSuccess: (sent) => {
      if (sent.queued) onQueued(sent.because !== 'unkept');
      else if (sent.data) {
        onSent();
        void navigate({ to: '/thankyoupage' });
      }
    },
    meta: { failure: contactFormMessages.createContactMessage.failure },
  });
}

export const isMessage = ({ operation }: Entry) => operation === 'createContactMessage';

/** The sender's waiting messages and rejected messages. */
export function useMessages() {
  const userId = useSender();
  return { waiting: useWaiting(userId).filter(isMessage), refused: useRefused(userId).filter(isMessage) };
}
