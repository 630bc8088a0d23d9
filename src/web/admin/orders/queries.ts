import { useMutationState } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { orderMessages, type OrderStatus, statusLabels, undoStatusMs } from '../../../shared/orders';
import { ordersList } from '../../../shared/ordersList';
import { orderStaffMessages } from '../../../shared/ordersStaff';
import { toast } from '../../ui/toast';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import type { KeyHeader } from '../../server/keys';
import { readCsv, useStaffChange, staffListQuery, staffQuery } from '../staffCalls';
import { pageQuery, exportQuery, type TableSearch } from '../table/tableSearch';
import { useBulkChange } from '../table/useBulkChange';

export type Order = Schema<'Order'>;
export type StaffOrder = { orderResponse: Order; details: Schema<'OrderDetails'> };

type Search = TableSearch<typeof ordersList>;

export const ordersQuery = (search: Search) =>
  staffListQuery(['orders', search], async (signal) => {
    const query = pageQuery(ordersList, search);
    return (await answer(api.GET('/admin/orders', { params: { query }, signal }))).orders;
  });

/** How many orders have something left to ship. */
export const toShipCountQuery = () =>
  staffQuery(['orders', 'to ship'], async (signal) => {
    const query = { toShip: true, size: 1 };
    return (await answer(api.GET('/admin/orders', { params: { query }, signal }))).orders.totalElements;
  });

/** @param form 'lines' for a row per product line */
export function exportOrders(search: Search, form?: string): Promise<string> {
  const query = { ...exportQuery(ordersList, search), ...(form === 'lines' && { form: 'lines' as const }) };
  return readCsv(api.GET('/admin/orders/export', { params: { query }, parseAs: 'text' }));
}

export const orderQuery = (orderId: string) =>
  staffQuery(['order', orderId], (signal: AbortSignal): Promise<StaffOrder> =>
    answer(api.GET('/admin/orders/{orderId}', { params: { path: { orderId } }, signal })),
  );

interface Move {
  orderId: string;
  status: OrderStatus;
}
const moveKey = (orderId: string) => ['moveOrder', orderId];

const move = ({ orderId, status }: Move, { header }: KeyHeader) =>
  answer(api.PUT('/admin/orders/{orderId}/update/{status}', { params: { path: { orderId, status }, header } }));

/** Undoes a status change, with the same call. */
function useUndoMove(orderId: string) {
  return useStaffChange({
    send: move,
    onSuccess: () => toast.success(orderStaffMessages.statusUndone),
    mutationKey: moveKey(orderId),
    meta: { failure: orderMessages.updateOrderStatus.failure },
  });
}

/**
 * Changes an order's status, with Undo for ten seconds.
 * Rule: docs/rules/orders-and-payment.md, Status changes
 */
export function useMoveOrder({ id: orderId, orderStatus }: Pick<Order, 'id' | 'orderStatus'>) {
  const { mutate: undo } = useUndoMove(orderId);
  return useStaffChange({
    send: async (input: Move, keyed) => {
      const endsAt = Date.now() + undoStatusMs; // earlier than the server's limit, which starts a moment later
      await move(input, keyed);
      return { endsAt };
    },
    onSuccess: ({ endsAt }) =>
      toast.success(orderMessages.updateOrderStatus.success, {
        label: 'Undo',
        onPress: () => undo({ orderId, status: orderStatus }),
        endsAt,
      }),
    mutationKey: moveKey(orderId),
    meta: { failure: orderMessages.updateOrderStatus.failure },
  });
}

/** Changes the status of several orders, skipping those that do not allow it. */
export function useMoveOrders() {
  return useBulkChange({
    change: async ({ id, status }: { id: string; status: OrderStatus }, { header }) => {
      const params = { path: { orderId: id } };
      const { orderNumber, orderStatus } = (await answer(api.GET('/admin/orders/{orderId}', { params }))).orderResponse;
      const skip = { skipped: `#${orderNumber} (${orderStaffMessages.skippedAs[orderStatus]})` };
      if (orderStatus === status) return skip;
      try {
        await move({ orderId: id, status }, { header });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'illegal_status_change') return skip;
        throw error;
      }
      return { id, status: orderStatus };
    },
    sentence: (count, [first], skipped) =>
      orderStaffMessages.moved(count, first ? statusLabels[first.status] : '', skipped),
    undoMs: undoStatusMs,
    meta: { failure: orderMessages.updateOrderStatus.failure },
  });
}

/** @returns the new status while the server has not answered yet; otherwise the order's status */
export function useShownStatus({ id, orderStatus }: Pick<Order, 'id' | 'orderStatus'>): OrderStatus {
  const [asking] = useMutationState({
    filters: { mutationKey: moveKey(id), status: 'pending' },
    select: ({ state }) => (state.variables as Move).status,
  });
  return asking ?? orderStatus;
}

export function useSetTracking(orderId: string) {
  return useStaffChange({
    send: (body: Schema<'OrderTracking'>, { header }) =>
      answer(api.PUT('/admin/orders/{orderId}/tracking', { params: { path: { orderId }, header }, body })),
    meta: orderMessages.setOrderTracking,
  });
}

/** @param onAdded gets the text exactly as typed, with leading and trailing blanks */
export function useAddNote(orderId: string, onAdded: (sent: Schema<'NewOrderNote'>) => void) {
  return useStaffChange({
    send: (body: Schema<'NewOrderNote'>, { header }) =>
      answer(api.POST('/admin/orders/{orderId}/notes', { params: { path: { orderId }, header }, body })),
    onSuccess: (_, sent) => onAdded(sent),
    meta: orderMessages.addOrderNote,
  });
}

/** If the provider does not answer, the refund is recorded and made later. */
export function useRefund(orderId: string, onDone: () => void) {
  return useStaffChange({
    send: (body: Schema<'NewRefund'>, { header }) =>
      answer(api.POST('/admin/orders/{orderId}/refund', { params: { path: { orderId }, header }, body })),
    onSuccess: ({ refund: { state } }) => {
      if (state === 'done') toast.success(orderMessages.refundOrder.success);
      else if (state === 'asked') toast.info(orderMessages.refundOrder.asked);
      else toast.error(orderMessages.refundOrder.failure);
      onDone();
    },
    meta: { failure: orderMessages.refundOrder.failure },
  });
}

/** Refunds a paid order as a whole. If the provider does not answer, the refund is recorded and made later. */
export function useCancelOrder(orderId: string) {
  return useStaffChange({
    send: (body: Schema<'OrderCancellation'>, { header }) =>
      answer(api.POST('/admin/orders/{orderId}/cancel', { params: { path: { orderId }, header }, body })),
    onSuccess: ({ orderResponse: { refunds } }) => {
      if (refunds.some(({ state }) => state === 'asked')) toast.info(orderMessages.refundOrder.asked);
      else toast.success(orderMessages.cancelOrder.success);
    },
    meta: { failure: orderMessages.cancelOrder.failure },
  });
}

/** All open alarms; a shop has few. */
export const alarmsQuery = () =>
  staffQuery(
    ['alarms'],
    async (signal) => (await answer(api.GET('/admin/alarms', { params: { query: { size: 100 } }, signal }))).alarms,
  );

export function useSettleAlarm() {
  return useStaffChange({
    send: (alarmId: string, { header }) =>
      answer(api.POST('/admin/alarms/{alarmId}/settle', { params: { path: { alarmId }, header }, body: {} })),
    meta: orderMessages.settleAlarm,
  });
}
