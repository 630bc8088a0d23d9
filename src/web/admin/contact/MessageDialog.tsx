import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { contactFormMessages } from '../../../shared/contact';
import { replyForm } from '../../../shared/contactForms';
import type { DataOf } from '../../../shared/contract';
import { mailStateLabels } from '../../../shared/mail';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { applySaved } from '../../forms/applySaved';
import { useShopForm } from '../../forms/useShopForm';
import { Button } from '../../ui/Button';
import { ReadFailure } from '../../connection/ReadFailure';
import { TextAreaField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import { Waiting } from '../../ui/Waiting';
import form from '../ui/form.module.css';
import { useCloseGuard } from '../ui/useCloseGuard';
import { timeOf } from '../ui/dates';
import { useStaffDraft } from '../useStaffDraft';
import styles from './inbox.module.css';
import { messageQuery, useMarkAsRead, useReply, useSetState } from './queries';
import { StateBadge } from './StateBadge';

const unsent = { text: contactFormMessages.replyUnsent };

/** A message with its replies and a form for another one. Opening it marks it as read. */
export function MessageDialog({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const read = useQuery(messageQuery(messageId));
  const { data, error } = read;
  const message = data?.contactMessage;
  const isNew = message?.state === 'new';
  const { mutate: markAsRead } = useMarkAsRead();
  const wasMarked = useRef(false);
  useEffect(() => {
    if (!isNew || wasMarked.current) return;
    wasMarked.current = true; // a message that staff mark as unread again stays unread
    markAsRead({ messageId, state: 'read' });
  }, [isNew, markAsRead, messageId]);
  const [isWritten, setWritten] = useState(false);
  const { close, question } = useCloseGuard(isWritten, onClose, unsent);
  return (
    <Modal title={message ? message.fullName || message.email : 'Message'} onClose={close}>
      {data && <Correspondence {...data} />}
      {!data && error && <ReadFailure read={read} failure={contactFormMessages.getMessage.failure} back={null} />}
      {!data && !error && (
        <Waiting what="the message">
          <span className={`skeleton ${styles['waiting']}`} />
        </Waiting>
      )}
      {data ? (
        <ReplyForm
          messageId={messageId}
          isAnswered={message?.state === 'answered'}
          onWrite={setWritten}
          onClose={close}
        />
      ) : (
        <ModalActions onClose={onClose} closeText="Close" />
      )}
      {question}
    </Modal>
  );
}

function Correspondence({ contactMessage, replies }: DataOf<'getMessage'>) {
  const { email, phone, createdAt, reason, state, userId } = contactMessage;
  return (
    <div className={styles['message']}>
      <p className={styles['facts']}>
        <a href={`mailto:${email}`} className="link">
          {email}
        </a>
        {phone && <span>{phone}</span>}
        {userId && (
          <Link to="/admin/view/user/$userId" params={{ userId }} className="link">
            View customer
          </Link>
        )}
        <span>{timeOf(createdAt)}</span>
        <StateBadge state={state} />
      </p>
      <p className={styles['text']}>{reason}</p>
      <h3 className={form['heading']}>Replies</h3>
      {replies.length === 0 && <p className={styles['muted']}>{contactFormMessages.noReplies}</p>}
      <ul>
        {replies.map(({ id, text, by, at, mailState }) => (
          <li key={id} className={styles['reply']}>
            <p className={styles['text']}>{text}</p>
            <small>{`${by}, ${timeOf(at)}. Email: ${mailStateLabels[mailState]}`}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ReplyProps {
  messageId: string;
  isAnswered: boolean;
  onWrite: (isWritten: boolean) => void;
  onClose: () => void;
}

const blank = { text: '' };

function ReplyForm({ messageId, isAnswered, onWrite, onClose }: ReplyProps) {
  const newReply = useShopForm(replyForm, { defaultValues: blank, mode: 'onSubmit' });
  const { field, handleSubmit, formState, setError, getValues } = newReply;
  useStaffDraft(`reply ${messageId}`, newReply);
  const { mutate: send, isPending, error } = useReply(messageId, (sent) => applySaved(newReply, sent, blank));
  useFieldErrors(error, setError);
  const { mutate: setState } = useSetState();
  const { isDirty } = formState;
  useEffect(() => onWrite(isDirty), [isDirty, onWrite]);
  const submit = handleSubmit(() => send(getValues()));
  return (
    <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
      <TextAreaField label="Your reply" {...field('text')} />
      <div className={styles['actions']}>
        <Button variant="ghost" onClick={() => setState({ messageId, state: isAnswered ? 'read' : 'answered' })}>
          {isAnswered ? 'Mark as not replied' : 'Mark as replied'}
        </Button>
        <Button variant="outline" onClick={onClose}>
          Close
        </Button>
        <OnlineButton what="reply" type="submit" isBusy={isPending}>
          Send reply
        </OnlineButton>
      </div>
    </form>
  );
}
