import { useRef, useState } from 'react';
import { unitsLeft } from '../../../shared/orderUnits';
import { parcelMessages as messages } from '../../../shared/parcels';
import { trackingFields } from '../../../shared/parcelForms';
import { useIsOnline } from '../../server/reachability';
import { ActionButton } from '../../ui/ActionButton';
import { useNameWithSize, useSizeOf } from '../../catalog/core/useSizeOf';
import { OnlineButton } from '../../connection/OnlineButton';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { sentenceOf } from '../../server/errors';
import { Modal, ModalActions, ModalClose } from '../../ui/Modal';
import { QuantityStepper } from '../../ui/QuantityStepper';
import { Thumbnail } from '../../ui/Thumbnail';
import { AdminIcon } from '../ui/AdminIcon';
import form from '../ui/form.module.css';
import { Switch } from '../ui/Switch';
import { useCloseGuard } from '../ui/useCloseGuard';
import { firstNameOf } from './firstName';
import { readLastCarrier, writeLastCarrier } from './lastCarrier';
import styles from './ParcelDialog.module.css';
import { useCreateParcel } from './parcelQueries';
import type { Paper } from './OrderPaper';
import type { Order } from './queries';
import { TrackingFields, type TrackingForm, type TrackingValues } from './TrackingFields';

const blankTracking = (): TrackingValues => ({
  carrier: readLastCarrier(),
  trackingNumber: '',
  trackingUrl: '',
  notify: true,
});

interface Props {
  order: Order;
  onPrint: (paper: Paper) => void;
  onClose: () => void;
}

/** Ships units of an order in a parcel. At first all that is left is chosen. */
export function ParcelDialog({ order, onPrint, onClose }: Props) {
  const lines = order.orderItems.filter(({ leftToShip }) => leftToShip > 0);
  const [units, setUnits] = useState<Units>({});
  const [isEmpty, setEmpty] = useState(false);
  const [blank] = useState(blankTracking);
  const trackingForm: TrackingForm = useShopForm(trackingFields, { defaultValues: blank });
  const { register, handleSubmit, setError, formState } = trackingForm;
  const { mutate, isPending, error } = useCreateParcel(order, (toPrint) => {
    onClose();
    if (toPrint) onPrint({ kind: 'Packing slip', parcelId: toPrint.id });
  });
  useFieldErrors(error, setError);
  const isOnline = useIsOnline();
  const cross = useRef<HTMLButtonElement>(null);
  const { close, question } = useCloseGuard(formState.isDirty || Object.keys(units).length > 0, onClose);
  const chosen = lines
    .map(({ orderItemId, leftToShip }) => ({ orderItemId, quantity: units[orderItemId] ?? leftToShip }))
    .filter(({ quantity }) => quantity > 0);
  const chosenUnits = chosen.reduce((sum, { quantity }) => sum + quantity, 0);
  const ship = (isPrinted: boolean) =>
    handleSubmit((tracking) =>
      chosen.length > 0 ? mutate({ ...tracking, lines: chosen, isPrinted }) : setEmpty(true),
    );
  const isLast = order.orderStatus === 'PAID' && chosenUnits === unitsLeft(order);
  const failure =
    isEmpty && chosen.length === 0 ? messages.chooseItems : error && sentenceOf(error, messages.createParcel.failure);
  return (
    <Modal title="Ship items" onClose={close} initialFocus={cross} className={form['wide']} fillsPhone>
      <ModalClose ref={cross} onClose={close} />
      <form className={form['stack']} noValidate onSubmit={(event) => void ship(false)(event)}>
        <ul className={styles['lines']}>
          {lines.map((line) => (
            <ParcelLine
              key={line.orderItemId}
              line={line}
              units={units[line.orderItemId] ?? line.leftToShip}
              onChange={(quantity) => setUnits((former) => ({ ...former, [line.orderItemId]: quantity }))}
            />
          ))}
        </ul>
        <TrackingFields form={trackingForm} onChoose={writeLastCarrier} />
        <Switch label={messages.notify(firstNameOf(order))} hint={messages.notifyHint} {...register('notify')} />
        {isLast && (
          <p className={styles['last']}>
            <AdminIcon name="info" />
            {messages.isLast}
          </p>
        )}
        {failure && (
          <p className={styles['failure']} role={isEmpty ? 'alert' : undefined}>
            {failure}
          </p>
        )}
        <ModalActions onClose={close}>
          <ActionButton variant="outline" isOff={!isOnline} isBusy={isPending} onClick={() => void ship(true)()}>
            <AdminIcon name="printer" /> {messages.shipAndPrint}
          </ActionButton>
          <OnlineButton what="ship items" type="submit" isBusy={isPending}>
            Ship items
          </OnlineButton>
        </ModalActions>
      </form>
      {question}
    </Modal>
  );
}

/** Of the lines whose number was changed, by the line's id. */
type Units = Readonly<Record<string, number>>;

interface LineProps {
  line: Order['orderItems'][number];
  units: number;
  onChange: (units: number) => void;
}

function ParcelLine({ line, units, onChange }: LineProps) {
  const name = useNameWithSize()(line);
  const size = useSizeOf()(line);
  const { imageUrl, productName, leftToShip } = line;
  return (
    <li className={styles['line']}>
      <label className={styles['choice']}>
        <input type="checkbox" checked={units > 0} onChange={() => onChange(units > 0 ? 0 : leftToShip)} />
        {imageUrl ? (
          <Thumbnail imageUrl={imageUrl} />
        ) : (
          <span className="thumb">
            <AdminIcon name="image" size={24} />
          </span>
        )}
        <span className={styles['name']}>
          {productName}
          {size && <small className={styles['muted']}>{size}</small>}
        </span>
      </label>
      <div className={styles['units']}>
        <QuantityStepper
          name={name}
          min={0}
          value={units}
          max={leftToShip}
          onChange={(change) => onChange(units + change)}
        />
        <span className={styles['muted']}>of {leftToShip}</span>
      </div>
    </li>
  );
}
