import type { Schema } from '../../../shared/contract';
import { isPartlyShipped, partlyShipped, toShip, unitsLeft } from '../../../shared/orderUnits';
import { RefundedBadge, StatusBadge } from '../../orders/OrderParts';
import { Badge } from '../../ui/Badge';
import styles from './orders.module.css';
import { useShownStatus } from './queries';

/** An order's status, and beside it what is refunded and what is left to ship. Rule: docs/rules/back-office.md, Orders */
export function OrderBadges({ order }: { order: Schema<'Order'> }) {
  const status = useShownStatus(order);
  return (
    <span className={styles['badges']}>
      <StatusBadge status={status} />
      {status === order.orderStatus && <ShippingBadge order={order} />}
      <RefundedBadge order={order} />
    </span>
  );
}

function ShippingBadge({ order }: { order: Schema<'Order'> }) {
  if (isPartlyShipped(order)) return <Badge tone="warn">{partlyShipped}</Badge>;
  return unitsLeft(order) > 0 && <Badge tone="warn">{toShip}</Badge>;
}
