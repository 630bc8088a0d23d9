import { useQuery } from '@tanstack/react-query';
import { customerMessages } from '../../../../shared/customers';
import { customerNoteForm } from '../../../../shared/customersForms';
import { OnlineButton } from '../../../connection/OnlineButton';
import { applySaved } from '../../../forms/applySaved';
import { useFieldErrors } from '../../../forms/plainForm';
import { useShopForm } from '../../../forms/useShopForm';
import { TextAreaField } from '../../../ui/FormField';
import { useShopTime } from '../../../ui/shopTime';
import box from '../../ui/box.module.css';
import { useLeaveGuard } from '../../ui/useLeaveGuard';
import { useStaffDraft } from '../../useStaffDraft';
import styles from './customer.module.css';
import { summaryQuery, useAddCustomerNote } from './queries';

const blank = { text: '' };

/** Staff's notes on a customer, newest first. */
export function CustomerNotes({ userId }: { userId: string }) {
  const { data } = useQuery(summaryQuery(userId));
  const newNote = useShopForm(customerNoteForm, { defaultValues: blank, mode: 'onSubmit' });
  const { field, handleSubmit, formState, setError, getValues } = newNote;
  useStaffDraft(`customer note ${userId}`, newNote);
  const { mutate, isPending, error } = useAddCustomerNote(userId, (sent) => applySaved(newNote, sent, blank));
  useFieldErrors(error, setError);
  const { timeOf } = useShopTime();
  const { question } = useLeaveGuard(formState.isDirty);
  const submit = handleSubmit(() => mutate(getValues()));
  return (
    <section className={box['box']} aria-labelledby="notes-heading">
      <header>
        <h2 id="notes-heading">Notes</h2>
      </header>
      <form className={styles['write']} noValidate onSubmit={(event) => void submit(event)}>
        <TextAreaField label="New note" rows={2} hint={customerMessages.notesHint} {...field('text')} />
        <OnlineButton what="add a note" type="submit" variant="outline" isBusy={isPending}>
          Add note
        </OnlineButton>
      </form>
      <ul className={styles['rows']}>
        {data?.notes.map(({ id, text, by, at }) => (
          <li key={id}>
            <span className={styles['note']}>{text}</span>
            <span className={styles['about']}>{`${by}, ${timeOf(at)}`}</span>
          </li>
        ))}
      </ul>
      {question}
    </section>
  );
}
