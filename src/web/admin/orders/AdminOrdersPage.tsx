import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoney, toCents } from '../../../shared/money';
import { orderMessages, statusLabels } from '../../../shared/orders';
import { ordersList } from '../../../shared/ordersList';
import { RefundedBadge, StatusBadge } from '../../orders/OrderParts';
import { useShopTime } from '../../ui/shopTime';
import { useDays } from '../settings/queries';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { chipsOf, useTableSearch } from '../table/tableSearch';
import { bulkMost } from '../table/useBulkChange';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import styles from './orders.module.css';
import { exportOrders, type Order, ordersQuery, useMoveOrder, useMoveOrders, useShownStatus } from './queries';
import { SoundSwitch } from './SoundSwitch';
import { statusChoice } from './statusChoice';
import { useNarrowing } from './useNarrowing';

export function AdminOrdersPage() {
  const search = useTableSearch(ordersList);
  const [asked] = search;
  const list = useQuery(ordersQuery(asked));
  const days = useDays(asked.filters.days);
  const narrowing = useNarrowing(asked.filters);
  return (
    <>
      <AdminHead title="Orders">
        <SoundSwitch />
      </AdminHead>
      <DataTable
        columns={orderColumns}
        list={list}
        search={search}
        rowName={({ orderNumber }) => `#${orderNumber}`}
        empty={orderMessages.noOrders}
        failure={orderMessages.listOrders.failure}
        filters={chipsOf(ordersList, { days, ...narrowing })}
        isMarked={useNewcomers(list.isPlaceholderData ? undefined : list.data?.content, JSON.stringify(asked))}
        bulkActions={useBulkMoves()}
        readFile={() => exportOrders(asked)}
      />
    </>
  );
}

/** The status changes that can be made for several orders together. */
function useBulkMoves(): BulkAction[] {
  const { mutate } = useMoveOrders();
  return (['OUT_FOR_DELIVERY', 'DELIVERED'] as const).map((status) => ({
    label: statusLabels[status],
    most: bulkMost,
    act: (ids, onSuccess) =>
      mutate(
        ids.map((id) => ({ id, status })),
        { onSuccess },
      ),
  }));
}

/** @returns whether an order arrived while the same view of the list was open */
function useNewcomers(rows: Order[] | undefined, asked: string): (order: Order) => boolean {
  const [first, setFirst] = useState<{ asked: string; ids: Set<string> }>();
  const isOther = first?.asked !== asked;
  if (isOther && rows) setFirst({ asked, ids: new Set(rows.map(({ id }) => id)) });
  const newest = Math.max(0, ...(rows ?? []).filter(({ id }) => first?.ids.has(id)).map(orderedAt));
  return (order) => !isOther && !first.ids.has(order.id) && orderedAt(order) > newest;
}

const orderedAt = ({ createdAt }: Order) => Date.parse(createdAt);

/** Rule: docs/rules/back-office.md, Lists */
const orderColumns = columnsOf<typeof ordersList, Order>(
  ordersList,
  {
    orderNumber: {
      draw: ({ id, orderNumber }) => (
        <Link to="/admin/orders/$orderId" params={{ orderId: id }} className={styles['number']}>
          #{orderNumber}
        </Link>
      ),
      onPhone: 'title',
    },
    createdAt: { draw: ({ createdAt }) => <OrderTime at={createdAt} />, isMuted: true },
    customer: { draw: ({ customer }) => customer },
    items: {
      draw: ({ orderItems }) => orderItems.reduce((units, { quantity }) => units + quantity, 0),
      onPhone: 'named',
    },
    deliveryName: { draw: ({ delivery }) => delivery?.name ?? '–', isMuted: true, onPhone: 'named' },
    totalAmount: { draw: ({ totalAmount }) => formatMoney(toCents(totalAmount)) },
    status: {
      draw: (order) => (
        <span className={styles['badges']}>
          <Status order={order} />
          <RefundedBadge order={order} />
        </span>
      ),
    },
  },
  (order) => <OrderMenu order={order} />,
);

const OrderTime = ({ at }: { at: string }) => useShopTime().timeOf(at);

const Status = ({ order }: { order: Order }) => <StatusBadge status={useShownStatus(order)} />;

function OrderMenu({ order }: { order: Order }) {
  const { mutate: move } = useMoveOrder(order);
  return (
    <RowMenu
      of={`#${order.orderNumber}`}
      choice={statusChoice(useShownStatus(order), (status) => move({ orderId: order.id, status }))}
      entries={[{ label: 'View Order', icon: 'eye', to: `/admin/orders/${order.id}` }]}
    />
  );
}
