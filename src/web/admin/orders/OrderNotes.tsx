import type { Schema } from '../../../shared/contract';
import { orderNoteForm } from '../../../shared/ordersForms';
import { orderStaffMessages } from '../../../shared/ordersStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { applySaved } from '../../forms/applySaved';
import { useShopForm } from '../../forms/useShopForm';
import { TextAreaField } from '../../ui/FormField';
import { useShopTime } from '../../ui/shopTime';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { OrderBox } from './OrderBox';
import styles from './OrderPage.module.css';
import { useAddNote } from './queries';

const blank = { text: '' };

/** Staff's internal notes on an order. */
export function OrderNotes({ orderId, notes }: { orderId: string; notes: Schema<'OrderNote'>[] }) {
  const newNote = useShopForm(orderNoteForm, { defaultValues: blank, mode: 'onSubmit' });
  const { field, handleSubmit, formState, setError, getValues } = newNote;
  useStaffDraft(`note ${orderId}`, newNote);
  const { mutate, isPending, error } = useAddNote(orderId, (sent) => applySaved(newNote, sent, blank));
  useFieldErrors(error, setError);
  const { timeOf } = useShopTime();
  const { question } = useLeaveGuard(formState.isDirty);
  const submit = handleSubmit(() => mutate(getValues()));
  return (
    <OrderBox id="notes-heading" title="Notes">
      {notes.length === 0 && <p className={styles['none']}>{orderStaffMessages.noNotes}</p>}
      <ul className={styles['list']}>
        {notes.map(({ id, text, by, at }) => (
          <li key={id}>
            {text}
            <small className={styles['muted']}>{`${by}, ${timeOf(at)}`}</small>
          </li>
        ))}
      </ul>
      <form className={styles['write']} noValidate onSubmit={(event) => void submit(event)}>
        <TextAreaField label="New note" rows={2} {...field('text')} />
        <OnlineButton what="add a note" type="submit" variant="outline" isBusy={isPending}>
          Add note
        </OnlineButton>
      </form>
      {question}
    </OrderBox>
  );
}
