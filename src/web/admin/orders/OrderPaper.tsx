import { useEffect, useState } from 'react';
import { slipLines } from '../../../shared/orderUnits';
import { useNameWithSize } from '../../catalog/core/useSizeOf';
import { ShipTo } from '../../orders/OrderParts';
import { Receipt } from '../../orders/ReceiptPage';
import { printAs } from '../../ui/printAs';
import { useShopFacts } from '../../ui/shopFacts';
import { useShopTime } from '../../ui/shopTime';
import styles from './OrderPaper.module.css';
import type { Order } from './queries';

/** The print layout of an order, hidden on screen. */
export function OrderPaper({ kind, order }: { kind: Paper; order: Order }) {
  return (
    <div className={styles['paper']}>
      {kind === 'Receipt' ? <Receipt order={order} /> : <PackingSlip order={order} />}
    </div>
  );
}

/** The packing slip: the address and the units to pack, without prices. */
function PackingSlip({ order }: { order: Order }) {
  const { name, logo } = useShopFacts();
  const { timeOf } = useShopTime();
  const nameOf = useNameWithSize();
  return (
    <article className={styles['slip']} aria-label={`Packing slip for order ${order.orderNumber}`}>
      {logo && <img {...logo} className={styles['logo']} alt="" />}
      <p className={styles['shop']}>{name}</p>
      <h2>Packing slip</h2>
      <p>
        Order #{order.orderNumber}, {timeOf(order.createdAt)}
      </p>
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
          {slipLines(order).map((line) => (
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

export type Paper = 'Packing slip' | 'Receipt';

/**
 * Prints one part of an order's page instead of the whole page.
 * @returns the part being printed, and a function that prints one
 */
export function usePaper(orderNumber: string | undefined) {
  const [paper, setPaper] = useState<Paper>();
  useEffect(() => {
    if (!paper) return undefined;
    return printAs(`${paper} ${orderNumber ?? ''}`, () => setPaper(undefined));
  }, [paper, orderNumber]);
  return { paper, print: setPaper };
}
