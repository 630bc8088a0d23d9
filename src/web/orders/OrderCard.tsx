import type { ReactNode } from 'react';
import type { Schema } from '../../shared/contract';
import { countOf } from '../../shared/counts';
import { toCents } from '../../shared/money';
import { isAllRefunded, unitsInWords } from '../../shared/orderUnits';
import { paidCents, receiptMessages } from '../../shared/receipt';
import { minusLine, orderLines } from '../../shared/totalLines';
import { useSizeThen } from '../catalog/core/useSizeOf';
import { Icon } from '../ui/Icon';
import { Price } from '../ui/Price';
import { useShopTime } from '../ui/shopTime';
import { Thumbnail } from '../ui/Thumbnail';
import { TotalLines } from '../ui/TotalLines';
import styles from './OrderCard.module.css';
import { OrderParcels, showsParcels } from './OrderParcels';
import { Fact, OrderBadge, RefundedBadge, ShipTo } from './OrderParts';

/**
 * An order with all its details.
 * @param props.children the actions
 */
export function OrderCard({ order, children }: { order: Schema<'Order'>; children?: ReactNode }) {
  const { orderNumber, orderStatus, createdAt } = order;
  const { timeOf } = useShopTime();
  const sizeThen = useSizeThen();
  const lines = orderLines(order);
  const titleId = `order-${orderNumber}`;
  const isUnpaid = orderStatus === 'PENDING_PAYMENT';
  return (
    <article className={`${styles['order']} ${isUnpaid ? styles['unpaid'] : ''}`} aria-labelledby={titleId}>
      <header>
        <div>
          <h2 id={titleId} className={`tabular ${styles['number']}`}>
            Order #{orderNumber}
          </h2>
          <p className={styles['small']}>{timeOf(createdAt)}</p>
        </div>
        <span className={styles['badges']}>
          <OrderBadge order={order} />
          <RefundedBadge order={order} />
        </span>
      </header>
      <Details order={order}>
        <div>
          <ul>
            {order.orderItems.map((item) => (
              <li key={item.orderItemId} className={styles['item']}>
                <Thumbnail imageUrl={item.imageUrl} />
                <div>
                  <p className={styles['name']}>{isAllRefunded(item) ? <s>{item.productName}</s> : item.productName}</p>
                  <p className={styles['small']}>{sizeThen(item, unitsInWords(item))}</p>
                </div>
                <Price cents={toCents(item.totalPrice)} />
              </li>
            ))}
          </ul>
          {showsParcels(order) && <OrderParcels order={order} />}
          {lines.length > 0 && (
            <div className={styles['parts']}>
              <TotalLines lines={lines} />
            </div>
          )}
        </div>
        <OrderFacts order={order} />
      </Details>
      {children && <footer className={styles['actions']}>{children}</footer>}
    </article>
  );
}

/** What was ordered; of an order that awaits payment only a line, until it is opened. */
function Details({ order, children }: { order: Schema<'Order'>; children: ReactNode }) {
  const body = <div className={styles['body']}>{children}</div>;
  const { orderStatus, orderItems, totalAmount } = order;
  if (orderStatus !== 'PENDING_PAYMENT') return body;
  return (
    <details className={styles['short']}>
      <summary>
        <span className={styles['pictures']}>
          {orderItems.slice(0, maxPictures).map(({ orderItemId, imageUrl }) => (
            <Thumbnail key={orderItemId} imageUrl={imageUrl} />
          ))}
        </span>
        <span className={styles['sum']}>
          <Price cents={toCents(totalAmount)} />
          <small>{countOf(orderItems.length, 'product')}</small>
        </span>
        <Icon name="chevronDown" size={18} />
      </summary>
      {body}
    </details>
  );
}

const maxPictures = 3;

function OrderFacts({ order }: { order: Schema<'Order'> }) {
  const { refundedAmount } = order;
  const refunded = minusLine(receiptMessages.refunded, toCents(refundedAmount));
  return (
    <dl className={styles['facts']}>
      <Fact name="Total" className={styles['total']}>
        <Price cents={toCents(order.totalAmount)} />
      </Fact>
      {refundedAmount > 0 && (
        <>
          <Fact name={refunded.label}>
            <span className={`tabular text-price ${styles['minus']}`} aria-hidden="true">
              {refunded.text}
            </span>
            <span className="sr-only">{refunded.spoken}</span>
          </Fact>
          <Fact name={receiptMessages.rest}>
            <Price cents={paidCents(order)} />
          </Fact>
        </>
      )}
      <Fact name="Ship to">
        <ShipTo order={order} />
      </Fact>
      {order.deliveryNote && <Fact name="Delivery instructions">{order.deliveryNote}</Fact>}
      {order.shipmentTrackingUrl && !showsParcels(order) && (
        <Fact name="Tracking">
          <a className={`link ${styles['way']}`} href={order.shipmentTrackingUrl} rel="noreferrer">
            Track
          </a>
        </Fact>
      )}
    </dl>
  );
}
