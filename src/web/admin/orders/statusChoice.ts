import { canMove, illegalMove, type OrderStatus, staffStatuses, statusLabels } from '../../../shared/orders';
import type { ActionChoice } from '../ui/ActionMenu';

const icons = { OUT_FOR_DELIVERY: 'truck', DELIVERED: 'check' } as const;

/** The statuses that staff may set; a disabled one shows the reason. Rule: docs/rules/back-office.md, Orders */
export const statusChoice = (status: OrderStatus, onChoose: (next: OrderStatus) => void): ActionChoice => ({
  heading: 'Status',
  chosen: status,
  options: staffStatuses.map((next) => ({
    value: next,
    label: statusLabels[next],
    icon: icons[next],
    isOff: !canMove(status, next),
    whyOff: next === status || canMove(status, next) ? undefined : illegalMove(status, next),
  })),
  onChoose: (value) => {
    const next = staffStatuses.find((each) => each === value);
    if (next && canMove(status, next)) onChoose(next);
  },
});
