import { formatMoney, fromCents, toCents } from '../../../shared/money';
import { orderStaffSays } from '../../../shared/ordersStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import form from '../ui/form.module.css';
import { Switch } from '../ui/Switch';
import { type Order, useRefund } from './queries';
import { leftCents, refundForm } from './refundAmount';

/** Gives money back: all that is left, or a part of it; the units go back on the shelf only if that is chosen. */
export function RefundDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const left = leftCents(order);
  const isRestocked = order.refunds?.some((refund) => refund.isRestocked && refund.state !== 'failed') ?? false;
  const { field, register, handleSubmit, setError } = useShopForm(refundForm(left), {
    defaultValues: { amount: fromCents(left).toFixed(2), reason: '', restock: false },
  });
  const { mutate, isPending, error } = useRefund(order.id, onClose);
  useFieldErrors(error, setError);
  const submit = handleSubmit(({ amount, reason, restock }) => {
    const cents = toCents(Number(amount));
    // all of it is asked for as 'the rest', which is right also when somebody else refunds at the same time
    mutate({ ...(cents < left && { amount: fromCents(cents) }), reason, restock });
  });
  return (
    <Modal title="Refund" onClose={onClose}>
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <p>{orderStaffSays.refundAsks}</p>
        <TextField
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          hint={orderStaffSays.amountHint(formatMoney(left))}
          {...field('amount')}
        />
        <TextField label="Reason" autoComplete="off" {...field('reason')} />
        {isRestocked ? (
          <p>{orderStaffSays.restocked}</p>
        ) : (
          <Switch label="Restock" hint={orderStaffSays.restockHint} {...register('restock')} />
        )}
        <ModalActions onClose={onClose}>
          <OnlineButton what="Refunding" type="submit" colorPalette="error" isBusy={isPending}>
            Refund
          </OnlineButton>
        </ModalActions>
      </form>
    </Modal>
  );
}
