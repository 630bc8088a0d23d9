import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { Schema } from '../../../shared/contract';
import { orderNoteForm } from '../../../shared/ordersForms';
import { orderStaffSays } from '../../../shared/ordersStaff';
import { OnlineButton } from '../../offline/OnlineButton';
import { TextAreaField } from '../../ui/FormField';
import { useFieldErrors } from '../../ui/fieldErrors';
import form from '../form.module.css';
import { useLeaveGuard } from '../useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { timeOf } from '../when';
import styles from './OrderPage.module.css';
import { useAddNote } from './queries';

/** What staff tell each other about an order. */
export function OrderNotes({ orderId, notes }: { orderId: string; notes: Schema<'OrderNote'>[] }) {
  const newNote = useForm({
    resolver: zodResolver(orderNoteForm),
    defaultValues: { text: '' },
  });
  const { register, handleSubmit, formState, setError, reset } = newNote;
  useStaffDraft(`note ${orderId}`, newNote);
  const { mutate, isPending, error } = useAddNote(orderId, () => reset());
  useFieldErrors(error, setError);
  const { question } = useLeaveGuard(formState.isDirty);
  const submit = handleSubmit((note) => mutate(note));
  return (
    <section className={styles['box']} aria-labelledby="notes-heading">
      <header>
        <h2 id="notes-heading" className={form['heading']}>
          Notes
        </h2>
      </header>
      {notes.length === 0 && <p className={styles['none']}>{orderStaffSays.noNotes}</p>}
      <ul className={styles['list']}>
        {notes.map(({ id, text, by, at }) => (
          <li key={id}>
            {text}
            <small className={styles['muted']}>{`${by}, ${timeOf(at)}`}</small>
          </li>
        ))}
      </ul>
      <form className={styles['write']} noValidate onSubmit={(event) => void submit(event)}>
        <TextAreaField label="New note" rows={2} {...register('text')} error={formState.errors.text?.message} />
        <OnlineButton what="Adding a note" type="submit" variant="outline" isBusy={isPending}>
          Add note
        </OnlineButton>
      </form>
      {question}
    </section>
  );
}
