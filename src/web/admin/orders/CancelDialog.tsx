import { useRef } from 'react';
import { formatMoney } from '../../../shared/money';
import { orderStaffMessages as messages } from '../../../shared/ordersStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import form from '../ui/form.module.css';
import { Switch } from '../ui/Switch';
import { firstNameOf } from './firstName';
import { type Order, useCancelOrder } from './queries';
import { cancelForm, leftCents } from './refundAmount';

/** Cancels an order before anything has shipped. Rule: docs/rules/orders-and-payment.md, Canceling by staff */
export function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const units = order.orderItems.reduce((sum, { leftToShip }) => sum + leftToShip, 0);
  const isPaid = order.orderStatus === 'PAID';
  const { field, register, handleSubmit, setError } = useShopForm(cancelForm, {
    defaultValues: { reason: '', customerNote: '', restock: true },
  });
  const { mutate, isPending, error } = useCancelOrder(order.id);
  useFieldErrors(error, setError);
  const safe = useRef<HTMLButtonElement>(null);
  const submit = handleSubmit(({ reason, customerNote, restock }) =>
    mutate({ restock, ...(reason && { reason }), ...(customerNote && { customerNote }) }, { onSuccess: onClose }),
  );
  const asks = isPaid
    ? messages.cancelAsks(formatMoney(leftCents(order)), firstNameOf(order))
    : messages.cancelUnpaidAsks;
  return (
    <Modal title={`Cancel order #${order.orderNumber}?`} onClose={onClose} initialFocus={safe}>
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <p>{asks}</p>
        {isPaid && units > 0 && <Switch label={messages.restockUnits(units)} {...register('restock')} />}
        <TextField label="Reason" autoComplete="off" hint={messages.reasonHint} {...field('reason')} />
        {isPaid && (
          <TextField label="Note to customer" autoComplete="off" hint={messages.noteHint} {...field('customerNote')} />
        )}
        <ModalActions onClose={onClose} closeText="Keep order" safe={safe}>
          <OnlineButton what="cancel an order" type="submit" colorPalette="error" isBusy={isPending}>
            Cancel order
          </OnlineButton>
        </ModalActions>
      </form>
    </Modal>
  );
}
