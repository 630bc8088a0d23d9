import { useEffect, useRef, useState } from 'react';
import { contactFormMessages } from '../../shared/contact';
import { contactForm } from '../../shared/contactForms';
import { findDraft, useDraft } from '../users/drafts';
import { sentenceOf } from '../server/errors';
import { visitor } from '../outbox/entry';
import { useFieldErrors, useSentForm } from '../forms/plainForm';
import { useShopForm } from '../forms/useShopForm';
import { ActionButton } from '../ui/ActionButton';
import { TextAreaField, TextField } from '../ui/FormField';
import styles from './ContactPage.module.css';
import { MessageState } from './MessageState';
import { useSender, useSendMessage } from './queries';

const blank = { fullName: '', email: '', phone: '', reason: '', website: '' };
type Field = keyof typeof blank;

/**
 * The contact form. Until its script has loaded, or without JavaScript, the browser posts it to POST /contact, which
 * answers with this page again, including the text and the errors.
 */
export function ContactForm() {
  const sent = useSentForm('/contact');
  const [isHeld, setHeld] = useState(false);
  const userId = useSender();
  const [draft] = useState(() => findDraft(userId, 'contact'));
  const form = useShopForm(contactForm, { defaultValues: { ...blank, ...sent?.values, ...draft }, sent });
  const { register, handleSubmit, setError, getValues, reset } = form;
  const send = useSendMessage({
    onQueued(isKept) {
      setHeld(!isKept);
      reset(blank); // the text is now in the outbox
    },
    onSent: () => reset(blank), // the page may be left before the next render
  });
  useDraft(userId, 'contact', () => (isBlank(getValues()) ? undefined : getValues()));
  useWhenSenderLeaves(userId, () => reset(blank));
  useFieldErrors(send.error, setError);
  const field = (name: Field) => {
    const { defaultValue, ...input } = form.field(name);
    return { ...input, defaultValue: draft?.[name] ?? defaultValue };
  };
  const problem = send.error ? sentenceOf(send.error, contactFormMessages.createContactMessage.failure) : form.failure;
  const submit = handleSubmit((message) => {
    setHeld(false);
    send.mutate(message);
  });
  return (
    <form
      className={`panel ${styles['form']}`}
      method="post"
      action="/contact"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <p className="muted">{contactFormMessages.needed}</p>
      <TextField label="Full Name" autoComplete="name" {...field('fullName')} />
      <div className={styles['columns']}>
        <TextField label="Email" type="email" autoComplete="email" isNeeded {...field('email')} />
        <TextField label="Phone" type="tel" autoComplete="tel" {...field('phone')} />
      </div>
      <TextAreaField label="Message" isNeeded {...field('reason')} />
      <label className={styles['trap']} aria-hidden="true">
        Website <input tabIndex={-1} autoComplete="off" {...register('website')} />
      </label>
      <MessageState isHeld={isHeld} sending={send.status} isTyping={() => !isBlank(getValues())} />
      {problem && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      <ActionButton type="submit" size="lg" isBusy={send.isPending}>
        Send
      </ActionButton>
    </form>
  );
}

/**
 * A draft belongs to its writer, not to the next user of this page; a visitor's draft moves into their session after
 * login.
 */
function useWhenSenderLeaves(userId: string, act: () => void): void {
  const before = useRef(userId);
  useEffect(() => {
    const hasLeft = before.current !== visitor && before.current !== userId;
    before.current = userId;
    if (hasLeft) act();
  });
}

const isBlank = (values: object) => Object.values(values).every((value) => value === '');
