import { Link } from '@tanstack/react-router';
import { formatMoney, toCents } from '../../../shared/money';
import { paymentStateLabels } from '../../../shared/ordersStaff';
import { Fact, ShipTo, StatusBadge } from '../../orders/OrderParts';
import { useShopTime } from '../../ui/shopTime';
import form from '../ui/form.module.css';
import styles from './OrderPage.module.css';
import { type StaffOrder, useShownStatus } from './queries';
import { Timeline } from './Timeline';
import { TrackingLink } from './TrackingLink';

/** A parcel has its own tracking. The order's link is for orders shipped before parcels existed, and for other clients. */
const hasOwnLink = ({ parcels = [], orderStatus, shipmentTrackingUrl }: StaffOrder['orderResponse']) =>
  parcels.length === 0 && (shipmentTrackingUrl !== null || ['OUT_FOR_DELIVERY', 'DELIVERED'].includes(orderStatus));

/** Rule: docs/rules/back-office.md, Orders */
export function OrderFacts({ order, details }: { order: StaffOrder['orderResponse'] } & Pick<StaffOrder, 'details'>) {
  const { timeOf } = useShopTime();
  const { account, payment } = details;
  return (
    <section className={form['box']} aria-label="Order details">
      <dl className={styles['facts']}>
        <Fact name="Order status" className={styles['badge']}>
          <StatusBadge status={useShownStatus(order)} />
        </Fact>
        {hasOwnLink(order) && <TrackingLink order={order} />}
        <Fact name="Order date">{timeOf(order.createdAt)}</Fact>
        <Fact name="Total" className={`tabular ${styles['strong']}`}>
          {formatMoney(toCents(order.totalAmount))}
        </Fact>
        <Fact name="Ship to">
          <ShipTo order={order} />
        </Fact>
        {order.delivery && <Fact name="Delivery">{order.delivery.name}</Fact>}
        {order.deliveryNote && <Fact name="Delivery instructions">{order.deliveryNote}</Fact>}
        <Fact name="Account">
          <Link to="/admin/view/user/$userId" params={{ userId: account.userId }} className="link">
            {account.fullName}
          </Link>
          <p>{account.email}</p>
        </Fact>
        {payment && (
          <Fact name="Payment">
            {paymentStateLabels[payment.state]}
            {payment.paymentId && <p className={styles['muted']}>{payment.paymentId}</p>}
          </Fact>
        )}
      </dl>
      <Timeline order={order} details={details} />
    </section>
  );
}
