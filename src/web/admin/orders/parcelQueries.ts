/** What staff do with parcels. Rule: docs/rules/orders-and-payment.md, Parcels */
import type { Schema } from '../../../shared/contract';
import { deleteParcelMs, parcelMessages as messages } from '../../../shared/parcels';
import { answer, api } from '../../server/client';
import { toast } from '../../ui/toast';
import { useStaffChange } from '../staffCalls';
import type { Order } from './queries';

export type Parcel = Schema<'Parcel'>;

type NewParcel = Schema<'NewParcel'> & {
  /** Whether its packing slip is printed once it is saved. */
  isPrinted?: boolean;
};

/** @returns the parcel that an order did not have before */
export const newestParcel = ({ parcels = [] }: Order, before: readonly Pick<Parcel, 'id'>[]): Parcel | undefined =>
  parcels.findLast(({ id }) => before.every((parcel) => parcel.id !== id));

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
      const created = newestParcel(orderResponse, parcels);
      return { endsAt, created, detail: messages.place(orderResponse.parcels?.length ?? 0) };
    },
    onSuccess: ({ endsAt, created, detail }, { isPrinted }) => {
      const onPress = () => created && undo(created.id);
      toast.success(messages.createParcel.success, { label: 'Undo', onPress, endsAt }, { detail });
      onDone(isPrinted ? created : undefined);
    },
    meta: { failure: messages.createParcel.failure },
  });
}

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
