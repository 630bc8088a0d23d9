import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoney, toCents } from '../../../shared/money';
import { orderMessages, statusLabels } from '../../../shared/orders';
import { ordersList } from '../../../shared/ordersList';
import { maxPackedOrders } from '../../../shared/packing';
import { maxShippedOrders, shippingMessages } from '../../../shared/shippingStaff';
import { useShopTime } from '../../ui/shopTime';
import { useDays } from '../settings/queries';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { chipsOf, useTableSearch } from '../table/tableSearch';
import { maxBulkRows } from '../table/useBulkChange';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import { OrderBadges } from './OrderBadges';
import styles from './orders.module.css';
import { exportOrders, type Order, ordersQuery, useMoveOrder, useMoveOrders, useShownStatus } from './queries';
import { useExportLabels } from './packingQueries';
import { SoundSwitch } from './SoundSwitch';
import { statusChoice } from './statusChoice';
import { ToShipChip } from './ToShipChip';
import { useLinkFilters } from './useLinkFilters';

export function AdminOrdersPage() {
  const search = useTableSearch(ordersList);
  const [view, change] = search;
  const list = useQuery(ordersQuery(view));
  const days = useDays(view.filters.days);
  const linkFilters = useLinkFilters(view.filters);
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
        filters={chipsOf(ordersList, { days, ...linkFilters })}
        chips={
          <ToShipChip
            isOn={view.filters.toShip !== undefined}
            onSwitch={(isOn) => change({ filters: { toShip: isOn ? 'true' : undefined } })}
          />
        }
        isMarked={useIsNewOrder(list.isPlaceholderData ? undefined : list.data?.content, JSON.stringify(view))}
        bulkActions={[...usePackingActions(), useLabelsAction(), useShipAction(), ...useBulkMoves()]}
        readFile={(form) => exportOrders(view, form)}
      />
    </>
  );
}

/** The pages for packing several orders together. */
function usePackingActions(): BulkAction[] {
  const navigate = useNavigate();
  return (
    [
      ['Pick list', '/admin/orders/pick-list'],
      ['Packing slips', '/admin/orders/packing-slips'],
    ] as const
  ).map(([label, to]) => ({
    label,
    maxRows: maxPackedOrders,
    act: (ids) => void navigate({ to, search: { ids } }),
  }));
}

function useShipAction(): BulkAction {
  const navigate = useNavigate();
  return {
    label: shippingMessages.title,
    maxRows: maxShippedOrders,
    act: (ids) => void navigate({ to: '/admin/orders/ship', search: { ids } }),
  };
}

function useLabelsAction(): BulkAction {
  const { mutate } = useExportLabels();
  return { label: 'Export labels', maxRows: maxPackedOrders, act: (ids) => mutate(ids) };
}

/** The status changes that can be made for several orders together. */
function useBulkMoves(): BulkAction[] {
  const { mutate } = useMoveOrders();
  return (['OUT_FOR_DELIVERY', 'DELIVERED'] as const).map((status) => ({
    label: statusLabels[status],
    maxRows: maxBulkRows,
    act: (ids, onSuccess) =>
      mutate(
        ids.map((id) => ({ id, status })),
        { onSuccess },
      ),
  }));
}

/** @returns whether an order arrived while the same view of the list was open */
function useIsNewOrder(rows: Order[] | undefined, view: string): (order: Order) => boolean {
  const [first, setFirst] = useState<{ view: string; ids: Set<string> }>();
  const isOtherView = first?.view !== view;
  if (isOtherView && rows) setFirst({ view, ids: new Set(rows.map(({ id }) => id)) });
  const newest = Math.max(0, ...(rows ?? []).filter(({ id }) => first?.ids.has(id)).map(orderedAt));
  return (order) => !isOtherView && !first.ids.has(order.id) && orderedAt(order) > newest;
}

const orderedAt = ({ createdAt }: Order) => Date.parse(createdAt);

/** Rule: docs/rules/back-office.md, Lists */
const orderColumns = columnsOf<typeof ordersList, Order>(
  ordersList,
  {
    orderNumber: {
      render: ({ id, orderNumber }) => (
        <Link to="/admin/orders/$orderId" params={{ orderId: id }} className={styles['number']}>
          #{orderNumber}
        </Link>
      ),
      onPhone: 'title',
    },
    createdAt: { render: ({ createdAt }) => <OrderTime at={createdAt} />, isMuted: true },
    customer: { render: (order) => <Customer order={order} /> },
    items: {
      render: ({ orderItems }) => orderItems.reduce((units, { quantity }) => units + quantity, 0),
      onPhone: 'named',
    },
    deliveryName: { render: ({ delivery }) => delivery?.name ?? '–', isMuted: true, onPhone: 'named' },
    totalAmount: { render: ({ totalAmount }) => formatMoney(toCents(totalAmount)) },
    status: { render: (order) => <OrderBadges order={order} /> },
  },
  (order) => <OrderMenu order={order} />,
);

function Customer({ order: { customer, userId } }: { order: Order }) {
  if (!userId) return customer;
  return (
    <Link to="/admin/view/user/$userId" params={{ userId }} className={styles['customer']}>
      {customer}
    </Link>
  );
}

const OrderTime = ({ at }: { at: string }) => <span className={styles['time']}>{useShopTime().timeOf(at)}</span>;

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
