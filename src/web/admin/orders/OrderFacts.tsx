import { Link } from '@tanstack/react-router';
import { formatMoney, toCents } from '../../../shared/money';
import { paymentStateLabels } from '../../../shared/ordersStaff';
import form from '../form.module.css';
import { timeOf } from '../when';
import styles from './OrderPage.module.css';
import { type StaffOrder, useShownStatus } from './queries';
import { StatusBadge } from './StatusBadge';
import { Timeline } from './Timeline';
import { TrackingLink } from './TrackingLink';

/** Source: specification §2; the timeline at their foot, decisions §7 */
export function OrderFacts({
  order,
  details: { account, payment },
}: { order: StaffOrder['orderResponse'] } & Pick<StaffOrder, 'details'>) {
  const { street, city, state, postalCode } = order.deliveryAddress;
  return (
    <section className={form['box']} aria-label="Facts">
      <dl className={styles['facts']}>
        <div>
          <dt>Order status</dt>
          <dd className={styles['badge']}>
            <StatusBadge status={useShownStatus(order)} />
          </dd>
        </div>
        <TrackingLink order={order} />
        <div>
          <dt>Created</dt>
          <dd>{timeOf(order.createdAt)}</dd>
        </div>
        <div>
          <dt>Total</dt>
          <dd className={`tabular ${styles['strong']}`}>{formatMoney(toCents(order.totalAmount))}</dd>
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
        <div>
          <dt>Account</dt>
          <dd>
            <Link to="/admin/view/user/$userId" params={{ userId: account.userId }} className="link">
              {account.fullName}
            </Link>
            <p>{account.email}</p>
          </dd>
        </div>
        {payment && (
          <div>
            <dt>Payment</dt>
            <dd>
              {paymentStateLabels[payment.state]}
              {payment.paymentId && <p className={styles['muted']}>{payment.paymentId}</p>}
            </dd>
          </div>
        )}
      </dl>
      <Timeline order={order} declines={payment?.declines ?? []} />
    </section>
  );
}
