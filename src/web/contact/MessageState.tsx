import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { contactFormMessages } from '../../shared/contact';
import { RefusedAnswers } from '../cart/RefusedChanges';
import { outbox } from '../outbox/outbox';
import { useIsOnline } from '../server/reachability';
import { Badge } from '../ui/Badge';
import { toast } from '../ui/toast';
import { LaterIcon } from '../ui/LaterIcon';
import notice from '../connection/ConnectionNotice.module.css';
import styles from './ContactPage.module.css';
import { contactOperations } from './operations';
import { isMessage, useMessages, useSender } from './queries';

interface MessageStateProps {
  /** This browser stores nothing, so the page must stay open. */
  isHeld: boolean;
  /** The state of the message in the form, which reports its own result. */
  sending: 'idle' | 'pending' | 'error' | 'success';
  /** @returns whether the form already has another message, which should not be lost by leaving the page */
  isTyping: () => boolean;
}

/**
 * The state of messages that could not be sent immediately. After the last one was sent, the page moves on to the
 * thank-you.
 */
export function MessageState({ isHeld, sending, isTyping }: MessageStateProps) {
  const { waiting, refused } = useMessages();
  const isOnline = useIsOnline();
  const isQueued = sending !== 'pending' && waiting.length > 0 && (!isOnline || waiting.some(({ wasSent }) => wasSent));
  const isUnsent = sending === 'pending' || waiting.length > 0;
  // a failed message leaves the queue as well, and its text is in the form
  const hasFailed = sending === 'error' || refused.length > 0;
  const navigate = useNavigate();
  const thank = () => {
    if (isTyping()) toast.success(contactFormMessages.sentText);
    else void navigate({ to: '/thankyoupage' });
  };
  useOnceSent(useSender(), { isQueued, isUnsent, hasFailed, thank });
  return (
    <>
      <output className={styles['state']}>
        {isQueued && (
          <span className={notice['notice']}>
            <LaterIcon name="clock" />
            {isHeld ? contactFormMessages.held : contactFormMessages.queued(waiting.length)}
          </span>
        )}
      </output>
      {refused.map(({ key, reason }) => (
        <div key={key} className={styles['refused']}>
          <Badge tone="error">{reason?.message || contactOperations.createContactMessage.messages.failure}</Badge>
          <RefusedAnswers onRetry={() => void outbox.retry(key)} onDiscard={() => void outbox.discard(key)} />
        </div>
      ))}
    </>
  );
}

interface Queued {
  isQueued: boolean;
  isUnsent: boolean;
  hasFailed: boolean;
  thank: () => void;
}

/**
 * A message that left the queue counts as sent only if the outbox reports it: it may have been discarded, or its sender
 * may have logged out.
 */
function useOnceSent(userId: string, { isQueued, isUnsent, hasFailed, thank }: Queued): void {
  const past = useRef({ wasQueued: false, wasSent: false });
  useEffect(() => {
    past.current = { wasQueued: false, wasSent: false };
    return outbox.whenSent((entry) => {
      if (isMessage(entry) && entry.userId === userId) past.current.wasSent = true;
    });
  }, [userId]);
  useEffect(() => {
    if (isQueued) past.current.wasQueued = true;
    const { wasQueued, wasSent } = past.current;
    if (isUnsent || !wasQueued) return;
    past.current = { wasQueued: false, wasSent: false };
    if (wasSent && !hasFailed) thank();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each change of the queue
  }, [isQueued, isUnsent, hasFailed]);
}
