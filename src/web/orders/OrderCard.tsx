import type { ReactNode } from 'react';
import type { Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import { statusLabels } from '../../shared/orders';
import { Badge, type BadgeTone } from '../ui/Badge';
import { Price } from '../ui/Price';
import { Thumbnail } from '../ui/Thumbnail';
import { orderDate } from './orderDate';
import styles from './OrderCard.module.css';

const tones: Record<Schema<'OrderStatus'>, BadgeTone> = {
  PENDING_PAYMENT: 'neutral',
  PAID: 'info',
  OUT_FOR_DELIVERY: 'warn',
  DELIVERED: 'success',
  CANCELLED: 'neutral',
  REFUNDED: 'neutral',
};
/**
 * An order with all that is known about it.
 * @param props.children what can be done with it
 */
export function OrderCard({ order, children }: { order: Schema<'Order'>; children?: ReactNode }) {
  const { orderNumber, orderStatus, createdAt } = order;
  const titleId = `order-${orderNumber}`;
  return (
    <article className={styles['order']} aria-labelledby={titleId}>
      <header>
        <div>
          <h2 id={titleId} className={`tabular ${styles['number']}`}>
            Order #{orderNumber}
          </h2>
          <p className={styles['small']}>{orderDate(createdAt)}</p>
        </div>
        <Badge tone={tones[orderStatus]} hollow={orderStatus === 'CANCELLED' || orderStatus === 'REFUNDED'}>
          {statusLabels[orderStatus]}
        </Badge>
      </header>
      <div className={styles['body']}>
        <ul>
          {order.orderItems.map((item) => (
            <li key={item.orderItemId} className={styles['item']}>
              <Thumbnail imageUrl={item.imageUrl} />
              <div>
                <p className={styles['name']}>{item.productName}</p>
                <p className={styles['small']}>Quantity: {item.quantity}</p>
              </div>
              <Price cents={toCents(item.totalPrice)} />
            </li>
          ))}
        </ul>
        <OrderFacts order={order} />
      </div>
      {children && <footer className={styles['actions']}>{children}</footer>}
    </article>
  );
}

function OrderFacts({ order }: { order: Schema<'Order'> }) {
  const { street, city, state, postalCode } = order.deliveryAddress;
  return (
    <dl className={styles['facts']}>
      <div>
        <dt>Total</dt>
        <dd className={styles['total']}>
          <Price cents={toCents(order.totalAmount)} />
        </dd>
      </div>
      <div>
        <dt>Ship to</dt>
        <dd>
          <address>
            {order.customer}
            <br />
            {street}
            <br />
            {city}, {state} {postalCode}
          </address>
        </dd>
      </div>
      {order.shipmentTrackingUrl && (
        <div>
          <dt>Shipment</dt>
          <dd>
            <a className={`link ${styles['way']}`} href={order.shipmentTrackingUrl} rel="noreferrer">
              Track
            </a>
          </dd>
        </div>
      )}
      {order.paymentUrl && (
        <div>
          <dt>Payment</dt>
          <dd>
            <a className={`link ${styles['way']}`} href={order.paymentUrl}>
              Pay now
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}
