import { Suspense, useState } from 'react';
import { slipLines } from '../../../shared/orderUnits';
import { hasReceipt } from '../../../shared/receipt';
import { Button } from '../../ui/Button';
import chipStyles from '../../ui/Chip.module.css';
import { deferMenu } from '../../ui/deferMenu';
import { Icon } from '../../ui/Icon';
import type { ActionEntry } from '../ui/ActionMenu';
import type { Paper } from './OrderPaper';
import { type StaffOrder, useMoveOrder, useShownStatus } from './queries';
import { leftCents } from './refundAmount';
import { statusChoice } from './statusChoice';
import { lazyPart } from '../../ui/lazyPart';

const ActionMenu = deferMenu(async () => (await import('../ui/ActionMenu')).ActionMenu);

const CancelDialog = lazyPart(() => import('./CancelDialog'), 'CancelDialog');
const RefundDialog = lazyPart(() => import('./RefundDialog'), 'RefundDialog');

/** Nothing has shipped, and nothing waits to be refunded. */
const mayCancel = (order: Props['order']): boolean =>
  order.orderStatus === 'PENDING_PAYMENT' ||
  (order.orderStatus === 'PAID' && leftCents(order) > 0 && order.orderItems.every((item) => !item.shippedQuantity));

interface Props {
  order: StaffOrder['orderResponse'];
  onPrint: (paper: Paper) => void;
}

/** The staff's actions on an order. Actions that it does not currently allow are grayed out or hidden. */
export function OrderActions({ order, onPrint }: Props) {
  const [isRefunding, setRefunding] = useState(false);
  const [isCanceling, setCanceling] = useState(false);
  const { mutate: move } = useMoveOrder(order);
  const hasSlip = slipLines(order).length > 0;
  const papers: ActionEntry[] = [
    { label: 'Packing slip', icon: 'box', onSelect: () => onPrint({ kind: 'Packing slip' }), isOff: !hasSlip },
    { label: 'Receipt', icon: 'history', onSelect: () => onPrint({ kind: 'Receipt' }), isOff: !hasReceipt(order) },
  ];
  return (
    <>
      <ActionMenu
        title="Status"
        className={chipStyles['chip']}
        choice={statusChoice(useShownStatus(order), (status) => move({ orderId: order.id, status }))}
      >
        Status <Icon name="chevronDown" size={16} />
      </ActionMenu>
      <ActionMenu title="Print" className={chipStyles['chip']} entries={papers}>
        Print <Icon name="chevronDown" size={16} />
      </ActionMenu>
      {hasReceipt(order) && leftCents(order) > 0 && (
        <Button variant="outline" onClick={() => setRefunding(true)}>
          Refund
        </Button>
      )}
      {mayCancel(order) && (
        <Button variant="outline" onClick={() => setCanceling(true)}>
          Cancel order
        </Button>
      )}
      {isCanceling && (
        <Suspense>
          <CancelDialog order={order} onClose={() => setCanceling(false)} />
        </Suspense>
      )}
      {isRefunding && (
        <Suspense>
          <RefundDialog order={order} onClose={() => setRefunding(false)} />
        </Suspense>
      )}
    </>
  );
}
