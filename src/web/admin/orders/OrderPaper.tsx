import { Receipt } from '../../orders/ReceiptPage';
import { useShopFacts } from '../../ui/shopFacts';
import { dayOf } from '../when';
import styles from './OrderPaper.module.css';
import type { Order } from './queries';
import type { Paper } from './usePaper';

/** What is printed of an order; the screen never shows it. */
export function OrderPaper({ kind, order }: { kind: Paper; order: Order }) {
  return (
    <div className={styles['paper']}>
      {kind === 'Receipt' ? <Receipt order={order} /> : <PackingSlip order={order} />}
    </div>
  );
}

/** Goes into the parcel: what is in it and where it goes, and no prices. */
function PackingSlip({ order }: { order: Order }) {
  const { street, city, state, postalCode } = order.deliveryAddress;
  const { name } = useShopFacts();
  return (
    <article className={styles['slip']} aria-label={`Packing slip of order ${order.orderNumber}`}>
      <p className={styles['shop']}>{name}</p>
      <h2>Packing slip</h2>
      <p>
        Order #{order.orderNumber}, {dayOf(order.createdAt)}
      </p>
      <address>
        {order.customer}
        <br />
        {street}
        <br />
        {city}, {state} {postalCode}
      </address>
      <table className={styles['lines']}>
        <thead>
          <tr>
            <th scope="col">Quantity</th>
            <th scope="col">Item</th>
            <th scope="col">Packed</th>
          </tr>
        </thead>
        <tbody>
          {order.orderItems.map(({ orderItemId, productName, quantity }) => (
            <tr key={orderItemId}>
              <td>{quantity}</td>
              <td>{productName}</td>
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
