import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { contactFormMessages } from '../../shared/contact';
import type { Schema } from '../../shared/contract';
import { useSession } from '../server/session';
import { outbox, useRefused, useWaiting } from '../outbox/outbox';
import { type Entry, visitor } from '../outbox/entry';

/** Whose messages are sent and shown here: the signed-in user's, or a visitor's. */
export const useSender = (): string => useSession()?.id ?? visitor;

interface Sending {
  /** The message is safe on this device, or in this page where `isKept` is false. */
  onQueued: (isKept: boolean) => void;
  /** It was sent, and the page is about to be left. */
  onSent: () => void;
}

/** Sends a message, now or when there is a connection; only a message that was sent leads to /thankyoupage. */
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

/** The sender's messages that wait, and those that the shop refused. */
export function useMessages() {
  const userId = useSender();
  return { waiting: useWaiting(userId).filter(isMessage), refused: useRefused(userId).filter(isMessage) };
}
