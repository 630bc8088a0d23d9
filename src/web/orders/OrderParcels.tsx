import type { Schema } from '../../shared/contract';
import { unitsLeft } from '../../shared/orderUnits';
import { carrierLabels, parcelMessages as messages } from '../../shared/parcels';
import { useNameWithSize } from '../catalog/core/useSizeOf';
import { buttonClass } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { useShopTime } from '../ui/shopTime';
import styles from './OrderParcels.module.css';

type Order = Schema<'Order'>;
type Parcel = Schema<'Parcel'>;

/** Whether the parcels say more than the order does: one without tracking that has everything does not. */
export function showsParcels(order: Order): boolean {
  const { parcels = [] } = order;
  const isTracked = ({ carrier, trackingUrl, trackingNumber }: Parcel) =>
    carrier !== 'other' || trackingUrl !== null || trackingNumber !== null;
  return parcels.length > 1 || parcels.some(isTracked) || (parcels.length > 0 && unitsLeft(order) > 0);
}

/** What is in each parcel and how to track it, then what is not shipped yet. Rule: docs/rules/orders-and-payment.md, Parcels */
export function OrderParcels({ order }: { order: Order }) {
  const { parcels = [], orderItems } = order;
  const left = orderItems
    .filter(({ leftToShip }) => leftToShip > 0)
    .map(({ orderItemId, leftToShip }) => ({ orderItemId, quantity: leftToShip }));
  return (
    <ol className={styles['parcels']}>
      {parcels.map((parcel, index) => (
        <li key={parcel.id} className={styles['parcel']}>
          <ParcelHead parcel={parcel} title={messages.title(index + 1, parcels.length + (left.length > 0 ? 1 : 0))} />
          <Units order={order} lines={parcel.lines} />
          {parcel.trackingUrl && (
            <a
              className={buttonClass({ variant: 'outline' })}
              href={parcel.trackingUrl}
              rel="noreferrer"
              target="_blank"
              aria-label={messages.track(index + 1)}
            >
              Track
            </a>
          )}
        </li>
      ))}
      {left.length > 0 && (
        <li className={styles['parcel']}>
          <p className={styles['title']}>{messages.notShipped}</p>
          <Units order={order} lines={left} />
        </li>
      )}
    </ol>
  );
}

function ParcelHead({ parcel, title }: { parcel: Parcel; title: string }) {
  const { carrier, trackingNumber, shippedAt } = parcel;
  const { shortTimeOf } = useShopTime();
  return (
    <div>
      <p className={styles['title']}>
        <Icon name="box" size={18} />
        <span>
          <b>{title}</b>
          {carrier !== 'other' && ` · ${carrierLabels[carrier]}`}
        </span>
      </p>
      {trackingNumber && <p className={`tabular ${styles['number']}`}>{trackingNumber}</p>}
      <p className={styles['small']}>{messages.shipped(shortTimeOf(shippedAt), null)}</p>
    </div>
  );
}

function Units({ order, lines }: { order: Order; lines: Parcel['lines'] }) {
  const nameOf = useNameWithSize();
  return (
    <ul className={styles['units']}>
      {lines.map(({ orderItemId, quantity }) => {
        const item = order.orderItems.find((each) => each.orderItemId === orderItemId);
        return (
          <li key={orderItemId}>
            {quantity} × {item && nameOf(item)}
          </li>
        );
      })}
    </ul>
  );
}
