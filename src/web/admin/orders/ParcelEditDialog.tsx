import { parcelMessages as messages, trackingLink } from '../../../shared/parcels';
import { trackingFields } from '../../../shared/parcelForms';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { Modal, ModalActions } from '../../ui/Modal';
import form from '../ui/form.module.css';
import { Switch } from '../ui/Switch';
import { useCloseGuard } from '../ui/useCloseGuard';
import { firstNameOf } from './firstName';
import { type Parcel, useUpdateParcel } from './parcelQueries';
import type { Order } from './queries';
import { TrackingFields, type TrackingForm, type TrackingSent, type TrackingValues } from './TrackingFields';

/** Changes how a parcel is tracked. The customer is not notified again unless staff choose so. */
export function ParcelEditDialog({ order, parcel, onClose }: { order: Order; parcel: Parcel; onClose: () => void }) {
  const { carrier, trackingNumber, trackingUrl } = parcel;
  const ownLink = trackingUrl === trackingLink(carrier, trackingNumber) ? null : trackingUrl;
  const trackingForm: TrackingForm = useShopForm<TrackingValues, TrackingSent>(trackingFields, {
    defaultValues: { carrier, trackingNumber: trackingNumber ?? '', trackingUrl: ownLink ?? '', notify: false },
  });
  const { register, handleSubmit, setError, formState } = trackingForm;
  const { mutate, isPending, error } = useUpdateParcel(order.id, parcel.id);
  useFieldErrors(error, setError);
  const { close, question } = useCloseGuard(formState.isDirty, onClose);
  const submit = handleSubmit((change) => mutate(change, { onSuccess: onClose }));
  return (
    <Modal title="Edit tracking" onClose={close} className={form['wide']}>
      <form className={form['stack']} noValidate onSubmit={(event) => void submit(event)}>
        <TrackingFields form={trackingForm} />
        <Switch label={messages.notifyAgain(firstNameOf(order))} {...register('notify')} />
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
