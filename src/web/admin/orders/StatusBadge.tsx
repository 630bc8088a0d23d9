import { type OrderStatus, statusLabels } from '../../../shared/orders';
import { Badge, type BadgeTone } from '../../ui/Badge';

const tones: Record<OrderStatus, BadgeTone> = {
  PENDING_PAYMENT: 'neutral',
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
