/** What staff do with parcels. Rule: docs/rules/orders-and-payment.md, Parcels */
import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { deleteParcelMs, parcelMessages as messages } from '../../../shared/parcels';
import { shippingMessages } from '../../../shared/shippingStaff';
import { answer, api } from '../../server/client';
import { type ApiError, isRejection } from '../../server/errors';
import { keyed } from '../../server/keys';
import { toast } from '../../ui/toast';
import { staffKey, staffQuery, useStaffChange } from '../staffCalls';
import type { Order } from './queries';
import type { Shipment } from './useShipEntries';

export type Parcel = Schema<'Parcel'>;

type NewParcel = Schema<'NewParcel'> & {
  /** Whether its packing slip is printed once it is saved. */
  isPrinted?: boolean;
};

/**
 * Creates a parcel, with Undo for ten seconds.
 * @param onDone gets the parcel whose packing slip is to be printed
 */
export function useCreateParcel({ id: orderId, parcels = [] }: Order, onDone: (toPrint?: Parcel) => void) {
  const { mutate: undo } = useDeleteParcel(orderId);
  return useStaffChange({
    send: async ({ isPrinted: _isPrinted, ...body }: NewParcel, { header }) => {
      const endsAt = Date.now() + deleteParcelMs; // earlier than the server's limit, which starts a moment later
      const params = { path: { orderId }, header };
      const { orderResponse } = await answer(api.POST('/admin/orders/{orderId}/parcels', { params, body }));
      const { parcels: after = [] } = orderResponse;
      const created = after.findLast(({ id }) => parcels.every((parcel) => parcel.id !== id));
      return { endsAt, created, detail: messages.place(after.length) };
    },
    onSuccess: ({ endsAt, created, detail }, { isPrinted }) => {
      const onPress = () => created && undo(created.id);
      toast.success(messages.createParcel.success, { label: 'Undo', onPress, endsAt }, { detail });
      onDone(isPrinted ? created : undefined);
    },
    meta: { failure: messages.createParcel.failure },
  });
}

/** The chosen orders, in the order of their packing slips. */
export const shipQuery = (ids: string[]) =>
  staffQuery(['orders', 'ship', ids], async (signal) => {
    const query = { ids, size: 100, sort: 'orderNumber' as const, direction: 'asc' as const };
    return (await answer(api.GET('/admin/orders', { params: { query }, signal }))).orders.content;
  });

const shippedTogether = 4;

interface Ship {
  shipments: readonly Shipment[];
  onShipped: (orderId: string) => void;
  /** @param reason why the shop did not ship it, or that its answer did not arrive */
  onFailed: (orderId: string, reason: string) => void;
}

/** Ships several orders, a few at once, each in a call with its own key, so that a rejected one does not stop the others. */
export function useShipOrders() {
  const cache = useQueryClient();
  const ship = async ({ orderId, key, body }: Shipment, { onShipped, onFailed }: Ship) => {
    const params = { path: { orderId }, ...keyed(key) };
    try {
      const { orderResponse } = await answer(api.POST('/admin/orders/{orderId}/parcels', { params, body }));
      const withAnswer = (orders?: Order[]) => orders?.map((order) => (order.id === orderId ? orderResponse : order));
      cache.setQueriesData({ queryKey: staffKey('orders', 'ship') }, withAnswer);
      onShipped(orderId);
      return true;
    } catch (error) {
      onFailed(orderId, isRejection(error) ? reasonOf(error) : shippingMessages.lost);
      return false;
    }
  };
  return useStaffChange({
    send: async (all: Ship) => {
      const waiting = [...all.shipments];
      let shipped = 0;
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) if (await ship(next, all)) shipped += 1;
      };
      await Promise.all(Array.from({ length: shippedTogether }, work));
      return shipped;
    },
    onSuccess: (shipped) => shipped > 0 && toast.success(shippingMessages.shipped(shipped)),
    meta: { failure: shippingMessages.failure },
  });
}

/** A wrong number is named by the field's own error. */
const reasonOf = ({ errors: [first], message }: ApiError): string =>
  first?.message ?? (message || shippingMessages.failure);

export function useUpdateParcel(orderId: string, parcelId: string) {
  return useStaffChange({
    send: (body: Schema<'ParcelChange'>, { header }) => {
      const params = { path: { orderId, parcelId }, header };
      return answer(api.PUT('/admin/orders/{orderId}/parcels/{parcelId}', { params, body }));
    },
    meta: messages.updateParcel,
  });
}

export function useDeleteParcel(orderId: string) {
  return useStaffChange({
    send: (parcelId: string, { header }) => {
      const params = { path: { orderId, parcelId }, header };
      return answer(api.DELETE('/admin/orders/{orderId}/parcels/{parcelId}', { params }));
    },
    meta: messages.deleteParcel,
  });
}
