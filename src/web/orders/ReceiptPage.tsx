import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { hasReceipt, madeRefunds, paidCents, receiptSays } from '../../shared/receipt';
import { AccountFrame } from '../account/AccountFrame';
import { ReadFailure } from '../connection/ReadFailure';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import { useShopFacts } from '../ui/shopFacts';
import { useShopTime } from '../ui/shopTime';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Waiting } from '../ui/Waiting';
import { Fact, ShipTo } from './OrderParts';
import { orderQuery } from './queries';
import styles from './ReceiptPage.module.css';

const route = getRouteApi('/shop/signed-in/customer/orders/$orderId/receipt');

/** One order as paper: what was charged, to the cent, from the order's own copy of what was bought. */
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
      {order && hasReceipt(order) && <Button onClick={() => window.print()}>Print</Button>}
    </div>
  );
  return (
    <AccountFrame title="Receipt" action={ways}>
      {order && (hasReceipt(order) ? <Receipt order={order} /> : <p>{receiptSays.notPaid}</p>)}
      {!order && error && (
        <ReadFailure
          read={read}
          failure={receiptSays.getOrder.failure}
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

/** Staff print it, too. */
export function Receipt({ order }: { order: Schema<'Order'> }) {
  const shop = useShopFacts();
  const { timeOf } = useShopTime();
  return (
    <article className={`panel ${styles['receipt']}`} aria-label={`Receipt of order ${order.orderNumber}`}>
      <div className={styles['head']}>
        <p>
          <b>{shop.name}</b>
          <br />
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
        <Fact name="Ordered" className="tabular">
          {timeOf(order.createdAt)}
        </Fact>
        {order.paidAt && (
          <Fact name="Paid" className="tabular">
            {timeOf(order.paidAt)}
          </Fact>
        )}
      </dl>
      <Lines order={order} />
      <p className={styles['note']}>{receiptSays.nothingMore}</p>
    </article>
  );
}

function Lines({ order }: { order: Schema<'Order'> }) {
  const refunds = madeRefunds(order);
  const { timeOf } = useShopTime();
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
              {item.productName}
              <span className={styles['units']}>{unitsOf(item)}</span>
            </th>
            <td>{formatMoney(toCents(item.totalPrice))}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <Sum label={receiptSays.total} cents={toCents(order.totalAmount)} />
        {refunds.map(({ id, amount, doneAt, createdAt }) => (
          <Sum key={id} label={`${receiptSays.refunded} ${timeOf(doneAt ?? createdAt)}`} cents={-toCents(amount)} />
        ))}
        {refunds.length > 0 && <Sum label={receiptSays.rest} cents={paidCents(order)} />}
      </tfoot>
    </table>
  );
}

/** '3 × $14.35' */
const unitsOf = ({ quantity, totalPrice, unitPrice = totalPrice / quantity }: Schema<'OrderItem'>) =>
  `${quantity} × ${formatMoney(toCents(unitPrice))}`;

const Sum = ({ label, cents }: { label: string; cents: number }) => (
  <tr>
    <th scope="row">{label}</th>
    <td>{formatMoney(cents)}</td>
  </tr>
);
