/** Shipping several orders at once. Rule: docs/rules/back-office.md, Ship orders */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { deleteParcelMs } from '../../../shared/parcels';
import { shippingMessages as messages } from '../../../shared/shippingStaff';
import { answer, api } from '../../server/client';
import { type ApiError, isRejection } from '../../server/errors';
import { keyed } from '../../server/keys';
import { toast } from '../../ui/toast';
import { keyOfPart } from '../keyOfPart';
import { staffKey, staffQuery, useStaffChange } from '../staffCalls';
import { newestParcel } from './parcelQueries';
import type { Order } from './queries';
import type { Shipment } from './useShipEntries';

/** The chosen orders, in the order of their packing slips. */
export const shipQuery = (ids: string[]) =>
  staffQuery(['orders', 'ship', ids], async (signal) => {
    const query = { ids, size: 100, sort: 'orderNumber' as const, direction: 'asc' as const };
    return (await answer(api.GET('/admin/orders', { params: { query }, signal }))).orders.content;
  });

function showOrder(cache: QueryClient, order: Order): void {
  const withOrder = (orders?: Order[]) => orders?.map((each) => (each.id === order.id ? order : each));
  cache.setQueriesData({ queryKey: staffKey('orders', 'ship') }, withOrder);
}

const atOnce = 4;

/** Calls `act` for all items, a few at once. */
async function forEachOf<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await act(next);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

interface Ship {
  shipments: readonly Shipment[];
  onShipped: (orderId: string) => void;
  /** @param reason why the shop did not ship it, or that its answer did not arrive */
  onFailed: (orderId: string, reason: string) => void;
  /** An order whose new parcel was deleted again. */
  onUndone: (orderId: string) => void;
}

type Made = { orderId: string; parcelId: string };

/**
 * Ships several orders, each in a call with its own key, so that a rejected one does not stop the others. Undo deletes
 * all new parcels, for ten seconds.
 */
export function useShipOrders() {
  const cache = useQueryClient();
  const { mutate: undo } = useUndoShipping();
  return useStaffChange({
    send: async ({ shipments, onShipped, onFailed }: Ship) => {
      const endsAt = Date.now() + deleteParcelMs; // the time limit of the first parcel, which ends earliest
      const made: Made[] = [];
      await forEachOf(shipments, async ({ orderId, key, body, before }) => {
        const params = { path: { orderId }, ...keyed(key) };
        try {
          const { orderResponse } = await answer(api.POST('/admin/orders/{orderId}/parcels', { params, body }));
          showOrder(cache, orderResponse);
          onShipped(orderId);
          made.push({ orderId, parcelId: newestParcel(orderResponse, before)?.id ?? '' });
        } catch (error) {
          onFailed(orderId, isRejection(error) ? reasonOf(error) : messages.lost);
        }
      });
      return { made, endsAt };
    },
    onSuccess: ({ made, endsAt }, { onUndone }) => {
      const onPress = () => undo({ made, onUndone });
      if (made.length > 0) toast.success(messages.shipped(made.length), { label: 'Undo', onPress, endsAt });
    },
    meta: { failure: messages.failure },
  });
}

/** A wrong number is named by the field's own error. */
const reasonOf = ({ errors: [first], message }: ApiError): string => first?.message ?? (message || messages.failure);

function useUndoShipping() {
  const cache = useQueryClient();
  return useStaffChange({
    send: async ({ made, onUndone }: { made: readonly Made[] } & Pick<Ship, 'onUndone'>, key) => {
      const [undone, rejections]: [Order[], ApiError[]] = [[], []];
      await forEachOf(made, async ({ orderId, parcelId }) => {
        const params = { path: { orderId, parcelId }, ...keyOfPart(key, parcelId) };
        try {
          const path = '/admin/orders/{orderId}/parcels/{parcelId}';
          const { orderResponse } = await answer(api.DELETE(path, { params }));
          undone.push(orderResponse);
          onUndone(orderId);
          showOrder(cache, orderResponse);
        } catch (error) {
          if (!isRejection(error)) throw error;
          rejections.push(error);
        }
      });
      return { undone, rejections };
    },
    onSuccess: ({ undone, rejections: [rejection] }) => {
      if (rejection) toast.error(rejection.message);
      if (undone.length > 0) toast.success(messages.undone(undone.length));
    },
    meta: { failure: messages.undoFailure },
  });
}
