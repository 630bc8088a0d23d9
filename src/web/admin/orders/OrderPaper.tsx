import { useEffect, useState } from 'react';
import { slipLines } from '../../../shared/orderUnits';
import { parcelMessages as messages } from '../../../shared/parcels';
import { useNameWithSize } from '../../catalog/core/useSizeOf';
import { ShipTo } from '../../orders/OrderParts';
import { Receipt } from '../../orders/ReceiptPage';
import { printAs } from '../../ui/printAs';
import { useShopFacts } from '../../ui/shopFacts';
import { useShopTime } from '../../ui/shopTime';
import styles from './OrderPaper.module.css';
import type { Order } from './queries';

/** The print layout of an order, hidden on screen. */
export function OrderPaper({ paper, order }: { paper: Paper; order: Order }) {
  return (
    <div className={styles['paper']}>
      {paper.kind === 'Receipt' ? <Receipt order={order} /> : <PackingSlip order={order} parcelId={paper.parcelId} />}
    </div>
  );
}

/** The packing slip: the address and the units to pack, or those of a package, without prices. */
function PackingSlip({ order, parcelId }: { order: Order; parcelId: string | undefined }) {
  const { name, logo } = useShopFacts();
  const { timeOf } = useShopTime();
  const nameOf = useNameWithSize();
  const { parcels = [] } = order;
  const place = parcels.findIndex(({ id }) => id === parcelId);
  const lines = slipLines(order, parcels[place]);
  return (
    <article className={styles['slip']} aria-label={`Packing slip for order ${order.orderNumber}`}>
      {logo && <img {...logo} className={styles['logo']} alt="" />}
      <p className={styles['shop']}>{name}</p>
      <h2>Packing slip</h2>
      <p>
        Order #{order.orderNumber}, {timeOf(order.createdAt)}
      </p>
      {place >= 0 && parcels.length > 1 && <p>{messages.title(place + 1, parcels.length)}</p>}
      <ShipTo order={order} />
      {order.delivery && <p>Delivery: {order.delivery.name}</p>}
      {order.deliveryNote && <p>Delivery instructions: {order.deliveryNote}</p>}
      <table className={styles['lines']}>
        <thead>
          <tr>
            <th scope="col">Quantity</th>
            <th scope="col">Item</th>
            <th scope="col">Packed</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.orderItemId}>
              <td>{line.units}</td>
              <td>{nameOf(line)}</td>
              <td aria-label="Not packed yet">
                <span className={styles['box']} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

export interface Paper {
  kind: 'Packing slip' | 'Receipt';
  /** The package of a packing slip; without it, it has what is left to ship. */
  parcelId?: string;
}

/**
 * Prints one part of an order's page instead of the whole page.
 * @returns the part being printed, and a function that prints one
 */
export function usePaper(orderNumber: string | undefined) {
  const [paper, setPaper] = useState<Paper>();
  useEffect(() => {
    if (!paper) return undefined;
    return printAs(`${paper.kind} ${orderNumber ?? ''}`, () => setPaper(undefined));
  }, [paper, orderNumber]);
  return { paper, print: setPaper };
}
