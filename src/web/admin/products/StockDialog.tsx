import { useWatch } from 'react-hook-form';
import { formatCount } from '../../../shared/counts';
import * as z from '../../../shared/zod';
import { stockForm } from '../../../shared/catalogForms';
import { catalogLimits, catalogStaffMessages, productMessages } from '../../../shared/catalogStaff';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { answer, api } from '../../server/client';
import { ActionButton } from '../../ui/ActionButton';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import { useStaffChange } from '../staffCalls';
import form from '../ui/form.module.css';
import { useCloseGuard } from '../ui/useCloseGuard';
import type { StaffProduct } from './queries';

interface Props {
  product: StaffProduct;
  /** The current quantity from the ledger. */
  quantity: number;
  onClose: () => void;
}

const adjustment = stockForm.extend({
  change: z
    .string()
    .trim()
    .regex(/^[+-]?\d{1,7}$/, productMessages.wholeChange)
    .refine(
      (units) => Number(units) !== 0 && Math.abs(Number(units)) <= catalogLimits.quantity,
      productMessages.wholeChange,
    ),
});

/** Adjusts the stock manually, up or down, with a reason. */
export function StockDialog({ product: { id, name }, quantity, onClose }: Props) {
  const { control, field, handleSubmit, setError, formState } = useShopForm(adjustment, {
    defaultValues: { change: '', reason: '' },
  });
  const { mutate, isPending, error } = useStaffChange({
    send: (body: { change: number; reason: string }, { header }) =>
      answer(api.POST('/admin/products/{id}/stock', { params: { path: { id }, header }, body })),
    onSuccess: onClose,
    meta: catalogStaffMessages.adjustStock,
  });
  useFieldErrors(error, setError);
  const { close, question } = useCloseGuard(formState.isDirty, onClose);
  const change = Number(useWatch({ control, name: 'change' }));
  const submit = handleSubmit((values) => mutate({ change: Number(values.change), reason: values.reason }));
  return (
    <Modal title={`Adjust stock for ${name}`} onClose={close}>
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Change"
          inputMode="text"
          autoComplete="off"
          hint={
            Number.isInteger(change) && change !== 0
              ? `From ${formatCount(quantity)} to ${formatCount(quantity + change)}`
              : `${formatCount(quantity)} in stock. Enter 5 to add five or -2 to remove two.`
          }
          {...field('change')}
        />
        <TextField label="Reason" autoComplete="off" {...field('reason')} />
        <ModalActions onClose={close}>
          <ActionButton type="submit" isBusy={isPending}>
            Save
          </ActionButton>
        </ModalActions>
      </form>
      {question}
    </Modal>
  );
}
