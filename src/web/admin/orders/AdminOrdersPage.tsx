import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoney, toCents } from '../../../shared/money';
import { orderSays, statusLabels } from '../../../shared/orders';
import { orderPeriodWords } from '../../../shared/ordersStaff';
import { RefundedBadge, StatusBadge } from '../../orders/OrderParts';
import { useShopTime } from '../../ui/shopTime';
import { useDays } from '../settings/queries';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { ExportButton } from '../table/ExportButton';
import { RowMenu } from '../table/RowMenu';
import { type Filter, optionsOf, useTableSearch } from '../table/tableSearch';
import { bulkMost } from '../table/useBulkChange';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import styles from './orders.module.css';
import {
  exportOrders,
  type Order,
  orderRules,
  ordersQuery,
  useMoveOrder,
  useMoveOrders,
  useShownStatus,
} from './queries';
import { SoundSwitch } from './SoundSwitch';
import { statusChoice } from './statusChoice';
import { useNarrowing } from './useNarrowing';

export function AdminOrdersPage() {
  const search = useTableSearch(orderRules);
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
        label="Orders"
        columns={orderColumns}
        list={list}
        search={search}
        rowName={({ orderNumber }) => `#${orderNumber}`}
        empty={orderSays.noOrders}
        failure={orderSays.listOrders.failure}
        searchLabel="Search orders"
        filters={[
          { name: 'status', label: 'Status', options: optionsOf(statusLabels) },
          { name: 'days', label: 'Days', options: days },
          { name: 'by', label: 'What happened', options: optionsOf(orderPeriodWords) },
          ...narrowing,
          ...taxStateFilter(asked.filters.taxState),
        ]}
        isMarked={useNewcomers(list.isPlaceholderData ? undefined : list.data?.content, JSON.stringify(asked))}
        bulkActions={useBulkMoves()}
        tools={<ExportButton fileName="orders.csv" read={() => exportOrders(asked)} />}
      />
    </>
  );
}

/** Only where the address has it: the figures of the sales tax lead here with it. */
const taxStateFilter = (state: string | undefined): Filter[] =>
  state ? [{ name: 'taxState', label: 'Sales tax', options: [{ value: state, label: state }] }] : [];

/** Steps that are taken for several parcels at once. */
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

/** @returns whether an order came while the same part of the list was being looked at */
function useNewcomers(rows: Order[] | undefined, asked: string): (order: Order) => boolean {
  const [first, setFirst] = useState<{ asked: string; ids: Set<string> }>();
  const isOther = first?.asked !== asked;
  if (isOther && rows) setFirst({ asked, ids: new Set(rows.map(({ id }) => id)) });
  const newest = Math.max(0, ...(rows ?? []).filter(({ id }) => first?.ids.has(id)).map(orderedAt));
  return (order) => !isOther && !first.ids.has(order.id) && orderedAt(order) > newest;
}

const orderedAt = ({ createdAt }: Order) => Date.parse(createdAt);

const { accessor, columns, display, menu } = columnsOf<Order>();

/** Rule: docs/rules/back-office.md, Lists */
const orderColumns = columns([
  accessor('orderNumber', {
    header: 'Order ID',
    cell: ({ row: { original } }) => (
      <Link to="/admin/orders/$orderId" params={{ orderId: original.id }} className={styles['number']}>
        #{original.orderNumber}
      </Link>
    ),
    meta: { onPhone: 'title' },
  }),
  accessor('createdAt', {
    header: 'Order Date',
    cell: ({ getValue }) => <OrderTime at={getValue()} />,
    meta: { isMuted: true },
  }),
  accessor('customer', { header: 'Customer Name' }),
  display({
    id: 'items',
    header: 'Items',
    cell: ({ row: { original } }) => original.orderItems.reduce((units, { quantity }) => units + quantity, 0),
    meta: { isFigure: true, onPhone: 'named' },
  }),
  display({
    id: 'delivery',
    header: 'Delivery',
    cell: ({ row: { original } }) => original.delivery?.name ?? '–',
    meta: { isMuted: true, onPhone: 'named' },
  }),
  accessor('totalAmount', {
    header: 'Amount',
    cell: ({ getValue }) => formatMoney(toCents(getValue())),
    meta: { isFigure: true },
  }),
  accessor('orderStatus', {
    id: 'status',
    header: 'Status',
    cell: ({ row: { original } }) => (
      <span className={styles['badges']}>
        <Status order={original} />
        <RefundedBadge order={original} />
      </span>
    ),
  }),
  menu((original) => <OrderMenu order={original} />),
]);

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
