import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useId } from 'react';
import { countOf } from '../../../shared/counts';
import { unitsLeft } from '../../../shared/orderUnits';
import { type Carrier, carrierLabels, carriers, parcelLimits } from '../../../shared/parcels';
import { shippingMessages as messages } from '../../../shared/shippingStaff';
import { Icon } from '../../ui/Icon';
import form from '../ui/form.module.css';
import { OrderBadges } from './OrderBadges';
import numbers from './orders.module.css';
import type { Order } from './queries';
import styles from './ShipOrders.module.css';
import type { ShipEntry } from './shippingDraft';
import { trackedAs } from './trackedAs';
import type { useShipEntries } from './useShipEntries';

type Changes = Pick<ReturnType<typeof useShipEntries>, 'enterNumber' | 'chooseCarrier' | 'shipWithoutNumber'>;

interface Props extends Changes {
  order: Order;
  entry: ShipEntry & { carrier: Carrier };
  /** Why it was not shipped. */
  failure: string | undefined;
  /** The number of another order with the same tracking number. */
  sameAs: string | undefined;
  isBusy: boolean;
  onChange: () => void;
}

/** An order to ship, or how it was shipped. */
export function ShipRow({ order, ...row }: Props) {
  const nameId = useId();
  const units = unitsLeft(order);
  const { city, state } = order.deliveryAddress;
  return (
    <li>
      <fieldset className={styles['row']} aria-labelledby={nameId}>
        <div className={styles['order']}>
          <Link id={nameId} to="/admin/orders/$orderId" params={{ orderId: order.id }} className={numbers['number']}>
            #{order.orderNumber}
          </Link>
          <span>{order.customer}</span>
          <span className="muted">
            {city}, {state}
          </span>
        </div>
        {units > 0 ? (
          <>
            <span className={`tabular ${styles['units']}`}>{countOf(units, 'item')}</span>
            <Fields order={order} {...row} />
          </>
        ) : (
          <Done order={order} failure={row.failure} />
        )}
      </fieldset>
    </li>
  );
}

/** A row without fields: it was shipped, or is not to be shipped. */
function Done({ order, failure }: { order: Order; failure: string | undefined }) {
  const parcel = order.parcels?.at(-1);
  return (
    <div className={styles['done']}>
      <OrderBadges order={order} />
      <span className={styles['anywhere']}>{parcel ? trackedAs(parcel) : messages.nothingLeft}</span>
      {failure && <Failure>{failure}</Failure>}
    </div>
  );
}

const Failure = ({ id, children }: { id?: string; children: string }) => (
  <small id={id} className={`${form['hint']} ${form['error']}`}>
    <Icon name="alert" size={16} />
    {children}
  </small>
);

function Fields({ order, entry, failure, sameAs, isBusy, onChange, ...change }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const hint = sameAs && messages.enteredFor(sameAs);
  const of = <span className="sr-only"> of #{order.orderNumber}</span>;
  return (
    <>
      <div className={`${form['cell']} ${styles['cell']}`}>
        <label htmlFor={`${id}-carrier`}>Carrier{of}</label>
        <select
          id={`${id}-carrier`}
          value={entry.carrier}
          disabled={isBusy}
          onChange={(event) => {
            const chosen = carriers.find((each) => each === event.currentTarget.value);
            if (chosen) change.chooseCarrier(order.id, chosen);
            onChange();
          }}
        >
          {carriers.map((each) => (
            <option key={each} value={each}>
              {carrierLabels[each]}
            </option>
          ))}
        </select>
      </div>
      <div className={`${form['cell']} ${styles['cell']}`}>
        <label htmlFor={id}>Tracking number{of}</label>
        <input
          id={id}
          data-tracking-number=""
          value={entry.number}
          maxLength={parcelLimits.trackingNumber}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="next"
          readOnly={isBusy}
          aria-invalid={failure === undefined ? undefined : true}
          aria-describedby={failure || hint ? noteId : undefined}
          onKeyDown={goOn}
          onChange={(event) => {
            change.enterNumber(order.id, event.currentTarget.value);
            onChange();
          }}
        />
        {failure ? (
          <Failure id={noteId}>{failure}</Failure>
        ) : (
          hint && (
            <small id={noteId} className={form['hint']}>
              {hint}
            </small>
          )
        )}
      </div>
      <label className={styles['without']}>
        <input
          type="checkbox"
          checked={entry.isWithoutNumber}
          disabled={isBusy}
          onChange={(event) => {
            change.shipWithoutNumber(order.id, event.currentTarget.checked);
            onChange();
          }}
        />
        Without tracking{of}
      </label>
    </>
  );
}

/** Enter, which scanners send after a number, goes to the next number, and from the last one to Save. */
function goOn(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const { form } = event.currentTarget;
  const stops = [...(form?.querySelectorAll<HTMLElement>('input[data-tracking-number], button[type=submit]') ?? [])];
  stops[stops.indexOf(event.currentTarget) + 1]?.focus();
}
