import type { BodyOf } from '../../../shared/contract';
import { type DeliveryMethod, deliverySays as says } from '../../../shared/delivery';
import { answer, api } from '../../server/client';
import { toast } from '../../ui/toast';
import { staffQuery, useStaffChange } from '../staffCalls';

export type MethodForm = BodyOf<'updateDeliveryMethod'>;

/** All of them: there are 50 at most. */
export const methodsQuery = () =>
  staffQuery(
    ['delivery'],
    async (signal) =>
      (await answer(api.GET('/admin/delivery-methods', { params: { query: { size: 100 } }, signal }))).deliveryMethods
        .content,
  );

/** @returns the method as the call takes it */
export const formOf = ({ id: _id, ...form }: DeliveryMethod): MethodForm => form;

export function useSaveMethod(id: string | undefined, onSaved: () => void) {
  return useStaffChange({
    send: (body: MethodForm, { header }) =>
      id === undefined
        ? answer(api.POST('/admin/delivery-methods', { params: { header }, body }))
        : answer(api.PUT('/admin/delivery-methods/{id}', { params: { path: { id }, header }, body })),
    onSuccess: onSaved,
    meta: id === undefined ? says.createDeliveryMethod : says.updateDeliveryMethod,
  });
}

/** Puts a method as it was told; `said` is the sentence about it, and `before` what Undo leads back to. */
type Change = { method: DeliveryMethod; said?: string; before?: DeliveryMethod };

function usePutMethod(onSuccess: (change: Change) => void) {
  return useStaffChange({
    send: ({ method }: Change, { header }) =>
      answer(
        api.PUT('/admin/delivery-methods/{id}', {
          params: { path: { id: method.id }, header },
          body: formOf(method),
        }),
      ),
    onSuccess: (_, change: Change) => onSuccess(change),
    meta: { failure: says.updateDeliveryMethod.failure },
  });
}

const tell = ({ said }: Change) => said && toast.success(said);

/** Moves a method, or switches it on or off. */
export function useChangeMethod() {
  const { mutate: undo } = usePutMethod(tell);
  return usePutMethod((change) => {
    const { said, before } = change;
    if (!said || !before) return tell(change);
    return toast.success(said, { label: 'Undo', onPress: () => undo({ method: before }) });
  });
}

export function useArchiveMethod(onArchived: () => void) {
  const { mutate: restore } = usePutMethod(tell);
  return useStaffChange({
    send: ({ id }: DeliveryMethod, { header }) =>
      answer(api.DELETE('/admin/delivery-methods/{id}', { params: { path: { id }, header } })),
    onSuccess: (_, method: DeliveryMethod) => {
      onArchived();
      const undo = () => restore({ method, said: says.restored });
      toast.success(says.archiveDeliveryMethod.success, { label: 'Undo', onPress: undo });
    },
    meta: { failure: says.archiveDeliveryMethod.failure },
  });
}
