import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { unitsInWords } from '../../shared/orderUnits';
import { hasReceipt, madeRefunds, paidCents, receiptNote, receiptMessages, refundParts } from '../../shared/receipt';
import { minusLine, orderLines } from '../../shared/totalLines';
import { useNameWithSize } from '../catalog/core/useSizeOf';
import { AccountFrame } from '../users/AccountFrame';
import { ReadFailure } from '../connection/ReadFailure';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { printAs } from '../ui/printAs';
import { useShopFacts } from '../ui/shopFacts';
import { useShopTime } from '../ui/shopTime';
import { SkeletonRows } from '../ui/SkeletonRows';
import { TotalLines } from '../ui/TotalLines';
import { Waiting } from '../ui/Waiting';
import { Fact, ShipTo } from './OrderParts';
import { orderQuery } from './queries';
import styles from './ReceiptPage.module.css';

const route = getRouteApi('/shop/signed-in/customer/orders/$orderId/receipt');

/** A printable order: what was charged, to the cent, from the order's own copy of names and prices. */
export function ReceiptPage() {
  const { user } = route.useRouteContext();
  const { orderId } = route.useParams();
  const read = useQuery(orderQuery(user.id, orderId));
  const { data: order, error } = read;
  const ways = (
    <div className={styles['ways']}>
      <ButtonLink to="/customer/orders" variant="outline">
        Back to Orders
      </ButtonLink>
      {order && hasReceipt(order) && <Button onClick={() => printAs(`Receipt ${order.orderNumber}`)}>Print</Button>}
    </div>
  );
  return (
    <AccountFrame title="Receipt" action={ways}>
      {order && (hasReceipt(order) ? <Receipt order={order} /> : <p>{receiptMessages.notPaid}</p>)}
      {!order && error && (
        <ReadFailure
          read={read}
          failure={receiptMessages.getOrder.failure}
          back={{ to: '/customer/orders', label: 'Orders' }}
        />
      )}
      {!order && !error && (
        <Waiting what="the receipt" className={`panel ${styles['receipt']}`}>
          <span className={`skeleton ${styles['headWaiting']}`} />
          <SkeletonRows />
        </Waiting>
      )}
    </AccountFrame>
  );
}

/** Also used by staff for printing. */
export function Receipt({ order }: { order: Schema<'Order'> }) {
  const shop = useShopFacts();
  const { timeOf } = useShopTime();
  return (
    <article className={`panel ${styles['receipt']}`} aria-label={`Receipt for order ${order.orderNumber}`}>
      <div className={styles['head']}>
        <p>
          {shop.logo && <img {...shop.logo} className={styles['logo']} alt="" />}
          <b>{shop.name}</b>
          <br />
          {shop.storeAddress?.split('\n').map((line, index) => (
            <Fragment key={index}>
              {line}
              <br />
            </Fragment>
          ))}
          {shop.contactEmail}
          <br />
          {shop.contactPhone}
        </p>
        <ShipTo order={order} />
      </div>
      <dl className={styles['facts']}>
        <Fact name="Order #" className="tabular">
          {order.orderNumber}
        </Fact>
        <Fact name="Order date" className="tabular">
          {timeOf(order.createdAt)}
        </Fact>
        {order.paidAt && (
          <Fact name="Paid" className="tabular">
            {timeOf(order.paidAt)}
          </Fact>
        )}
        {order.delivery && <Fact name="Delivery">{order.delivery.name}</Fact>}
        {order.deliveryNote && <Fact name="Delivery instructions">{order.deliveryNote}</Fact>}
      </dl>
      <Lines order={order} />
      <Sums order={order} />
      <p className={styles['note']}>{receiptNote(order)}</p>
    </article>
  );
}

function Lines({ order }: { order: Schema<'Order'> }) {
  const nameOf = useNameWithSize();
  return (
    <table className={`tabular ${styles['lines']}`}>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Total</th>
        </tr>
      </thead>
      <tbody>
        {order.orderItems.map((item) => (
          <tr key={item.orderItemId}>
            <th scope="row">
              {nameOf(item)}
              <span className={styles['units']}>{unitsOf(item)}</span>
              {(item.refundedQuantity ?? 0) > 0 && <span className={styles['units']}>{unitsInWords(item)}</span>}
            </th>
            <td>{formatMoney(toCents(item.totalPrice))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What was charged, and the refunds with their parts. */
function Sums({ order }: { order: Schema<'Order'> }) {
  const refunds = madeRefunds(order);
  const { timeOf } = useShopTime();
  const { units } = useShopFacts();
  const charged = { label: receiptMessages.total, text: formatMoney(toCents(order.totalAmount)) };
  const refunded = refunds.flatMap((refund) => [
    minusLine(
      `${receiptMessages.refunded} ${timeOf(refund.doneAt ?? refund.createdAt)}`,
      toCents(refund.amount),
      'strong',
    ),
    ...refundParts(refund, units),
  ]);
  const rest = { label: receiptMessages.rest, text: formatMoney(paidCents(order)) };
  const notes = refunds.flatMap(({ id, customerNote }) => (customerNote ? [{ id, customerNote }] : []));
  return (
    <div className={styles['sums']}>
      {refunds.length === 0 ? (
        <TotalLines lines={orderLines(order)} grand={charged} />
      ) : (
        <TotalLines lines={[...orderLines(order), { ...charged, tone: 'strong' }, ...refunded]} grand={rest} />
      )}
      {notes.map(({ id, customerNote }) => (
        <p key={id} className={styles['note']}>
          {customerNote}
        </p>
      ))}
    </div>
  );
}

/** '3 × $14.35' */
const unitsOf = ({ quantity, unitPrice }: Schema<'OrderItem'>) => `${quantity} × ${formatMoney(toCents(unitPrice))}`;
