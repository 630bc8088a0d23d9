import { useState } from 'react';
import { trackingForm } from '../../../shared/ordersForms';
import { orderStaffMessages } from '../../../shared/ordersStaff';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/FormField';
import { Modal, ModalActions } from '../../ui/Modal';
import form from '../ui/form.module.css';
import { useCloseGuard } from '../ui/useCloseGuard';
import styles from './OrderPage.module.css';
import { type Order, useSetTracking } from './queries';

/** The shipment's tracking link, below the status. Rule: docs/rules/orders-and-payment.md, Status changes */
export function TrackingLink({ order }: { order: Order }) {
  const [isChanging, setChanging] = useState(false);
  const { shipmentTrackingUrl: url } = order;
  return (
    <div>
      <dt>Tracking link</dt>
      <dd>
        {url && (
          <a href={url} className="link" rel="noreferrer" target="_blank">
            {url}
          </a>
        )}
        <p>
          <Button variant="outline" size="sm" className={styles['change'] ?? ''} onClick={() => setChanging(true)}>
            {url ? 'Change tracking link' : 'Add tracking link'}
          </Button>
        </p>
        {isChanging && <TrackingDialog order={order} onClose={() => setChanging(false)} />}
      </dd>
    </div>
  );
}

function TrackingDialog({ order: { id, shipmentTrackingUrl }, onClose }: { order: Order; onClose: () => void }) {
  const { field, handleSubmit, setError, formState } = useShopForm(trackingForm, {
    defaultValues: { shipmentTrackingUrl: shipmentTrackingUrl ?? '' },
  });
  const { mutate, isPending, error } = useSetTracking(id);
  useFieldErrors(error, setError);
  const { close, question } = useCloseGuard(formState.isDirty, onClose);
  const submit = handleSubmit((tracking) => mutate(tracking, { onSuccess: onClose }));
  return (
    <Modal title="Tracking link" onClose={close}>
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Tracking link"
          type="url"
          inputMode="url"
          autoComplete="off"
          hint={orderStaffMessages.trackingHint}
          {...field('shipmentTrackingUrl')}
        />
        <ModalActions onClose={close}>
          <OnlineButton what="save" type="submit" isBusy={isPending}>
            Save
          </OnlineButton>
        </ModalActions>
      </form>
      {question}
    </Modal>
  );
}
