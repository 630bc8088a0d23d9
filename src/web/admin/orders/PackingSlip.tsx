import type { ReactNode } from 'react';
import { slipLines, unitsLeft } from '../../../shared/orderUnits';
import { carrierLabels, parcelMessages } from '../../../shared/parcels';
import { packingMessages as messages, slipRest } from '../../../shared/packing';
import { useNameWithSize, useSizeOf } from '../../catalog/core/useSizeOf';
import { ShipTo } from '../../orders/OrderParts';
import { useShopFacts } from '../../ui/shopFacts';
import { useShopTime } from '../../ui/shopTime';
import { Barcode } from './Barcode';
import { firstNameOf } from './firstName';
import styles from './PackingSlip.module.css';
import type { Order } from './queries';

interface Props {
  order: Order;
  /** Without it, the slip has what is left to ship. */
  parcelId?: string | undefined;
}

/** The packing slip: the address and the units to pack, or those of a package, without prices. */
export function PackingSlip({ order, parcelId }: Props) {
  const { name, logo, contactEmail, contactPhone } = useShopFacts();
  const { timeOf } = useShopTime();
  const { parcels = [], delivery, deliveryNote } = order;
  const place = parcels.findIndex(({ id }) => id === parcelId);
  const parcel = parcels[place];
  const { carrier = 'other' } = parcel ?? {};
  return (
    <article className={styles['slip']} aria-label={`Packing slip for order ${order.orderNumber}`}>
      <header className={styles['head']}>
        <div className={styles['shop']}>
          {logo && <img {...logo} className={styles['logo']} alt="" />}
          <p>{name}</p>
        </div>
        <div className={styles['title']}>
          <h2>Packing slip</h2>
          <b>Order #{order.orderNumber}</b>
          <Barcode text={order.orderNumber} label={`Barcode of order ${order.orderNumber}`} />
          <p>{placeInWords(order, place)}</p>
        </div>
      </header>
      <dl className={styles['facts']}>
        <Part name="Ship to">
          <ShipTo order={order} />
        </Part>
        <Part name="Delivery">
          <p>{[delivery?.name, carrier !== 'other' && carrierLabels[carrier]].filter(Boolean).join(', ') || '–'}</p>
          {parcel?.trackingNumber && <p>{parcel.trackingNumber}</p>}
          {parcel && <p>{timeOf(parcel.shippedAt)}</p>}
        </Part>
        <Part name="Ordered">
          <p>{timeOf(order.createdAt)}</p>
          {deliveryNote && <p>{deliveryNote}</p>}
        </Part>
      </dl>
      <Lines order={order} parcelId={parcelId} />
      <footer>
        <p>{messages.thanks(firstNameOf(order), contactEmail)}</p>
        <p className={styles['foot']}>{[name, location.host, contactPhone].filter(Boolean).join(' · ')}</p>
      </footer>
    </article>
  );
}

/** @returns 'Package 1 of 2'; for what is left after a package 'Package 2'; nothing if there is only one */
function placeInWords(order: Order, place: number): string {
  const { length } = order.parcels ?? [];
  if (place >= 0) return length > 1 ? parcelMessages.title(place + 1, length) : '';
  return length > 0 && unitsLeft(order) > 0 ? parcelMessages.place(length + 1) : '';
}

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Lines({ order, parcelId }: Props) {
  const nameOf = useNameWithSize();
  const sizeOf = useSizeOf();
  const parcel = order.parcels?.find(({ id }) => id === parcelId);
  const isOfPackage = parcel !== undefined || unitsLeft(order) > 0;
  const rest = slipRest(order, parcel);
  return (
    <>
      <table className={styles['lines']}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Packed</span>
            </th>
            <th scope="col">{isOfPackage ? 'In this package' : 'In this order'}</th>
            <th scope="col">SKU</th>
            <th scope="col">Ordered</th>
            <th scope="col">Shipped</th>
          </tr>
        </thead>
        <tbody>
          {slipLines(order, parcel).map((line) => (
            <tr key={line.orderItemId}>
              <td aria-label="Not packed yet">
                <span className={styles['box']} />
              </td>
              <td>
                <b>{line.productName}</b>
                {sizeOf(line) && <small>{sizeOf(line)}</small>}
              </td>
              <td>
                {line.sku}
                {line.barcode && <small>{line.barcode}</small>}
              </td>
              <td>{line.quantity}</td>
              <td className={styles['units']}>{line.units}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest.length > 0 && (
        <table className={`${styles['lines']} ${styles['rest']}`}>
          <thead>
            <tr>
              <th scope="col">Rest of this order</th>
              <th scope="col">SKU</th>
              <th scope="col">Quantity</th>
              <th scope="col">
                <span className="sr-only">Where it is</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rest.map((line) => (
              <tr key={`${line.orderItemId} ${line.where}`}>
                <td>{nameOf(line)}</td>
                <td>{line.sku}</td>
                <td>{line.units}</td>
                <td>{line.where}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
