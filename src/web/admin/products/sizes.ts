/** Reads and changes of the sizes of a product. */
import { catalogStaffMessages, sizesMessages } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import type { KeyHeader } from '../../server/keys';
import { toast } from '../../ui/toast';
import { staffListQuery, useStaffChange } from '../staffCalls';
import type { StaffProduct } from './queries';

const typingMs = 200;
const shown = 10;

/** The first products that match the text, by name. A newer text stops the older search. */
export const sizeCandidatesQuery = (q: string) =>
  staffListQuery(['products', 'sizes', q], async (signal) => {
    if (q !== '') await new Promise((resolve) => setTimeout(resolve, typingMs));
    signal.throwIfAborted();
    const params = { query: { q, size: shown, sort: 'name' as const } };
    return (await answer(api.GET('/admin/products', { params, signal }))).products.content;
  });

type SizeOf = Schema<'SizeOf'> & { id: string };

const send = ({ id, ...body }: SizeOf, { header }: KeyHeader) =>
  answer(api.PUT('/admin/products/{id}/size-of', { params: { path: { id }, header }, body }));

interface Added {
  onDone: () => void;
  /** The product is a size of others already. */
  onTaken: (other: StaffProduct) => void;
}

/** A product without sizes joins those of the other one, so that neither leaves a group unasked. */
export function useAddSize({ id, sizes }: StaffProduct, { onDone, onTaken }: Added) {
  const { mutate, ...change } = useStaffChange({
    send,
    onSuccess: () => {
      toast.success(catalogStaffMessages.setSizeOf.success);
      onDone();
    },
    meta: { failure: catalogStaffMessages.setSizeOf.failure, shownOnPage: ['already_a_size'] },
  });
  const add = ({ other, move }: { other: StaffProduct; move: boolean }) =>
    mutate(sizes ? { id: other.id, sizeOf: id, move } : { id, sizeOf: other.id }, {
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'already_a_size') onTaken(other);
      },
    });
  return { ...change, mutate: add };
}

/** Takes a product out of the sizes, with Undo. */
export function useRemoveSize(sizes: readonly { id: string }[], onDone: () => void) {
  const { mutate: undo } = useStaffChange({ send, meta: catalogStaffMessages.setSizeOf });
  const { mutate, ...change } = useStaffChange({
    send,
    onSuccess: (_, { id }) => {
      const other = sizes.find((size) => size.id !== id);
      const onPress = () => other && undo({ id, sizeOf: other.id });
      toast.success(catalogStaffMessages.setSizeOf.success, { label: 'Undo', onPress });
      onDone();
    },
    meta: { failure: catalogStaffMessages.setSizeOf.failure },
  });
  return { ...change, mutate: (id: string) => mutate({ id, sizeOf: null }) };
}

/** After a save that deleted sizes: says so, with Undo. */
export function useUndoRemoval() {
  const { mutate: restore } = useStaffChange({
    send: (ids: string[], { header }) =>
      answer(api.PUT('/admin/products/bulk', { params: { header }, body: { ids, change: 'restore' } })),
    meta: { success: catalogStaffMessages.setSizeOf.success, failure: catalogStaffMessages.setSizeOf.failure },
  });
  return {
    undoLater: (ids: string[]) =>
      toast.success(sizesMessages.deleted(ids.length), { label: 'Undo', onPress: () => restore(ids) }),
  };
}
