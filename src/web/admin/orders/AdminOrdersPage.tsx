import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orderSays, orderStatuses, statusLabels } from '../../../shared/orders';
import { orderPeriodWords } from '../../../shared/ordersStaff';
import { focusHeading } from '../../ui/focusHeading';
import { AdminHead } from '../shell/AdminHead';
import { useDays } from '../settings/queries';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { ExportButton } from '../table/ExportButton';
import { useTableSearch } from '../table/tableSearch';
import { orderColumns } from './orderColumns';
import { exportOrders, type Order, orderFilters, ordersQuery, orderSorts, useMoveOrders } from './queries';
import { SoundSwitch } from './SoundSwitch';
import { bulkMost } from '../useBulkChange';

export function AdminOrdersPage() {
  const search = useTableSearch(orderFilters, orderSorts);
  const [asked] = search;
  const list = useQuery(ordersQuery(asked));
  const days = useDays(asked.filters['days']);
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
        rowId={({ id }) => id}
        rowName={({ orderNumber }) => `#${orderNumber}`}
        empty={orderSays.noOrders}
        failure={orderSays.listOrders.failure}
        searchLabel="Search orders"
        filters={[
          {
            name: 'status',
            label: 'Status',
            options: orderStatuses.map((status) => ({ value: status, label: statusLabels[status] })),
          },
          { name: 'days', label: 'Days', options: days },
          {
            name: 'by',
            label: 'What happened',
            options: Object.entries(orderPeriodWords).map(([value, label]) => ({ value, label })),
          },
        ]}
        isMarked={useNewcomers(list.isPlaceholderData ? undefined : list.data?.content, JSON.stringify(asked))}
        bulkActions={useBulkMoves()}
        tools={<ExportButton fileName="orders.csv" read={() => exportOrders(asked)} />}
      />
    </>
  );
}

/** Steps that are taken for several parcels at once. */
function useBulkMoves(): BulkAction<Order>[] {
  const { mutate } = useMoveOrders();
  return (['OUT_FOR_DELIVERY', 'DELIVERED'] as const).map((status) => ({
    label: statusLabels[status],
    most: bulkMost,
    act: (ids, _, clear) =>
      mutate(
        ids.map((id) => ({ id, status })),
        {
          onSuccess: () => {
            clear();
            focusHeading(); // the button that had the focus goes
          },
        },
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
