import type { ReactNode } from 'react';
import type { Schema } from '../../shared/contract';
import { type OrderStatus, statusLabels } from '../../shared/orders';
import { isPartlyShipped, partlyShipped } from '../../shared/orderUnits';
import { Badge, type BadgeTone } from '../ui/Badge';
import { AddressLines } from '../ui/AddressLines';

const tones: Record<OrderStatus, BadgeTone> = {
  PENDING_PAYMENT: 'warn',
  PAID: 'info',
  OUT_FOR_DELIVERY: 'warn',
  DELIVERED: 'success',
  CANCELLED: 'neutral',
  REFUNDED: 'neutral',
};

export function StatusBadge({ status }: { status: OrderStatus }) {
  return (
    <Badge tone={tones[status]} hollow={status === 'CANCELLED' || status === 'REFUNDED'}>
      {statusLabels[status]}
    </Badge>
  );
}

/** The status of an order; a paid order that was shipped in part says so. */
export function OrderBadge({ order }: { order: Schema<'Order'> }) {
  if (!isPartlyShipped(order)) return <StatusBadge status={order.orderStatus} />;
  return <Badge tone="warn">{partlyShipped}</Badge>;
}

/** Shown beside the status of a partially refunded order. */
export function RefundedBadge({ order: { orderStatus, refundedAmount } }: { order: Schema<'Order'> }) {
  if (refundedAmount === 0 || orderStatus === 'REFUNDED') return null;
  return (
    <Badge tone="neutral" hollow>
      Partially refunded
    </Badge>
  );
}

/** The recipient and the address. */
export function ShipTo({ order }: { order: Schema<'Order'> }) {
  return (
    <address>
      <AddressLines name={order.customer} address={order.deliveryAddress} />
    </address>
  );
}

/** A row of a definition list. */
export function Fact({
  name,
  children,
  className,
}: {
  name: string;
  children: ReactNode;
  className?: string | undefined;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}
