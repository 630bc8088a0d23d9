import { orderNoteForm } from '../../../shared/ordersForms';
import { orderStaffMessages } from '../../../shared/ordersStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { applySaved } from '../../forms/applySaved';
import { useShopForm } from '../../forms/useShopForm';
import { TextAreaField } from '../../ui/FormField';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { useAddNote } from './queries';
import styles from './Timeline.module.css';

const blank = { text: '' };

/** Adds a note of staff to an order. */
export function NewNote({ orderId }: { orderId: string }) {
  const newNote = useShopForm(orderNoteForm, { defaultValues: blank, mode: 'onSubmit' });
  const { field, handleSubmit, formState, setError, getValues } = newNote;
  useStaffDraft(`note ${orderId}`, newNote);
  const { mutate, isPending, error } = useAddNote(orderId, (sent) => applySaved(newNote, sent, blank));
  useFieldErrors(error, setError);
  const { question } = useLeaveGuard(formState.isDirty);
  const submit = handleSubmit(() => mutate(getValues()));
  return (
    <form className={styles['write']} noValidate onSubmit={(event) => void submit(event)}>
      <TextAreaField label="New note" hint={orderStaffMessages.noteIsInternal} rows={2} {...field('text')} />
      <OnlineButton what="add a note" type="submit" variant="outline" isBusy={isPending}>
        Add note
      </OnlineButton>
      {question}
    </form>
  );
}
