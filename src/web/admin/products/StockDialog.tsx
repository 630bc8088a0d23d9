import { Button } from '../../ui/Button';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod';
import { catalogLimits } from '../../../shared/catalog';
import { stockForm } from '../../../shared/catalogForms';
import { catalogStaffSays, productSays } from '../../../shared/catalogStaff';
import { answer, api } from '../../api/client';
import { ActionButton } from '../../ui/ActionButton';
import { TextField } from '../../ui/FormField';
import { useFieldErrors } from '../../ui/fieldErrors';
import { Modal, ModalActions } from '../../ui/Modal';
import form from '../form.module.css';
import { useStaffChange } from '../staffCalls';
import type { StaffProduct } from './queries';

interface Props {
  product: StaffProduct;
  /** What the ledger says now. */
  quantity: number;
  onClose: () => void;
}

const adjustment = stockForm.extend({
  change: z
    .string()
    .trim()
    .regex(/^[+-]?\d{1,7}$/, productSays.wholeChange)
    .refine(
      (units) => Number(units) !== 0 && Math.abs(Number(units)) <= catalogLimits.quantity,
      productSays.wholeChange,
    ),
});

/** Corrects the stock by hand, up or down, and keeps why. */
export function StockDialog({ product: { id, name }, quantity, onClose }: Props) {
  const { control, register, handleSubmit, formState, setError } = useForm<Record<'change' | 'reason', string>>({
    resolver: zodResolver(adjustment),
    defaultValues: { change: '', reason: '' },
    mode: 'onTouched',
  });
  const { mutate, isPending, error } = useStaffChange({
    send: (body: { change: number; reason: string }, { header }) =>
      answer(api.POST('/admin/products/{id}/stock', { params: { path: { id }, header }, body })),
    onSuccess: onClose,
    meta: catalogStaffSays.adjustStock,
  });
  useFieldErrors(error, setError);
  const change = Number(useWatch({ control, name: 'change' }));
  const field = (of: 'change' | 'reason') => ({ ...register(of), error: formState.errors[of]?.message });
  const submit = handleSubmit((values) => mutate({ change: Number(values.change), reason: values.reason }));
  return (
    <Modal title={`Adjust stock of ${name}`} onClose={onClose}>
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Change"
          inputMode="text"
          autoComplete="off"
          hint={
            Number.isInteger(change) && change !== 0
              ? `From ${quantity} to ${quantity + change}`
              : `${quantity} on the shelf now. 5 puts five more on it, -2 takes two off.`
          }
          {...field('change')}
        />
        <TextField label="Reason" autoComplete="off" {...field('reason')} />
        <ModalActions>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <ActionButton type="submit" isBusy={isPending}>
            Save
          </ActionButton>
        </ModalActions>
      </form>
    </Modal>
  );
}
