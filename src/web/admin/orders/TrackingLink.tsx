import { Button } from '../../ui/Button';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { trackingForm } from '../../../shared/ordersForms';
import { orderStaffSays } from '../../../shared/ordersStaff';
import { OnlineButton } from '../../offline/OnlineButton';
import { TextField } from '../../ui/FormField';
import { useFieldErrors } from '../../ui/fieldErrors';
import { Modal, ModalActions } from '../../ui/Modal';
import form from '../form.module.css';
import styles from './OrderPage.module.css';
import { type Order, useSetTracking } from './queries';

/** Where the parcel is followed, under the status. Source: decisions §8 */
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
  const { register, handleSubmit, formState, setError } = useForm<{ shipmentTrackingUrl: string }>({
    resolver: zodResolver(trackingForm) as never, // left empty it is null for the call, and a text here
    defaultValues: { shipmentTrackingUrl: shipmentTrackingUrl ?? '' },
    mode: 'onTouched',
  });
  const { mutate, isPending, error } = useSetTracking(id);
  useFieldErrors(error, setError);
  const submit = handleSubmit(({ shipmentTrackingUrl: url }) =>
    mutate({ shipmentTrackingUrl: url || null }, { onSuccess: onClose }),
  );
  return (
    <Modal title="Tracking link" onClose={onClose}>
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Link"
          type="url"
          inputMode="url"
          autoComplete="off"
          hint={orderStaffSays.trackingHint}
          {...register('shipmentTrackingUrl')}
          error={formState.errors.shipmentTrackingUrl?.message}
        />
        <ModalActions>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <OnlineButton what="Saving" type="submit" isBusy={isPending}>
            Save
          </OnlineButton>
        </ModalActions>
      </form>
    </Modal>
  );
}
