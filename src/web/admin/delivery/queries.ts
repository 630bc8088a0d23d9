import type { BodyOf } from '../../../shared/contract';
import { type DeliveryMethod, deliveryMessages as messages } from '../../../shared/delivery';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import { type KeyHeader, keyOfPart } from '../../server/keys';
import { toast } from '../../ui/toast';
import { changedFields } from '../changedFields';
import { staffQuery, useStaffChange } from '../staffCalls';

type MethodForm = BodyOf<'updateDeliveryMethod'>;

/** All of them: there are 50 at most. */
const readMethods = async (signal?: AbortSignal): Promise<DeliveryMethod[]> => {
  const call = api.GET('/admin/delivery-methods', { params: { query: { size: 100 } }, ...(signal && { signal }) });
  return (await answer(call)).deliveryMethods.content;
};

export const methodsQuery = () => staffQuery(['delivery'], readMethods);

/** Without the place, which stays when it is left out. */
const formOf = ({ id: _id, position: _position, ...form }: DeliveryMethod): MethodForm => form;

/** What is sent depends on what was read just before, so a repeated change has the same key only with the same body. */
const put = (id: string, body: MethodForm, keyed: KeyHeader) =>
  answer(
    api.PUT('/admin/delivery-methods/{id}', {
      params: { path: { id }, ...keyOfPart(keyed, JSON.stringify(body)) },
      body,
    }),
  );

/**
 * Changes some fields of a method. The others stay as they are now, whatever the page still shows of them.
 * @throws ApiError 404 method_not_found when it was archived meanwhile: the call itself would take it back
 */
async function putFields(id: string, fields: Partial<MethodForm>, keyed: KeyHeader) {
  const method = (await readMethods()).find((each) => each.id === id);
  if (!method) throw new ApiError(404, { code: 'method_not_found', message: messages.notFound });
  return put(id, { ...formOf(method), ...fields }, keyed);
}

/** @param method as the form began; undefined: a new one */
export function useSaveMethod(method: DeliveryMethod | undefined, onSaved: () => void) {
  return useStaffChange({
    send: (body: MethodForm, keyed) =>
      method
        ? putFields(method.id, changedFields(formOf(method), body), keyed)
        : answer(api.POST('/admin/delivery-methods', { params: keyed, body })),
    onSuccess: onSaved,
    meta: method ? messages.updateDeliveryMethod : messages.createDeliveryMethod,
  });
}

/** `said` is the sentence about it, and `before` what Undo leads back to. */
interface Change {
  id: string;
  fields: Partial<MethodForm>;
  said?: string;
  before?: Partial<MethodForm>;
}

function usePutFields(onSuccess?: (change: Change) => void) {
  return useStaffChange({
    send: ({ id, fields }: Change, keyed) => putFields(id, fields, keyed),
    onSuccess: (_, change: Change) => onSuccess?.(change),
    meta: { failure: messages.updateDeliveryMethod.failure },
  });
}

/** Moves a method, or switches it on or off. */
export function useChangeMethod() {
  const { mutate: undo } = usePutFields();
  return usePutFields(({ id, said, before }) => {
    if (said && before) toast.success(said, { label: 'Undo', onPress: () => undo({ id, fields: before }) });
  });
}

export function useArchiveMethod(onArchived: () => void) {
  const { mutate: restore } = useStaffChange({
    send: async (method: DeliveryMethod, keyed) => {
      const isBack = (await readMethods()).some(({ id }) => id === method.id); // a colleague was faster
      if (!isBack) await put(method.id, { ...formOf(method), position: method.position }, keyed);
    },
    onSuccess: () => toast.success(messages.restored),
    meta: { failure: messages.updateDeliveryMethod.failure },
  });
  return useStaffChange({
    send: (id: string, { header }) =>
      answer(api.DELETE('/admin/delivery-methods/{id}', { params: { path: { id }, header } })),
    onSuccess: ({ deliveryMethod }) => {
      onArchived();
      const undo = () => restore(deliveryMethod);
      toast.success(messages.archiveDeliveryMethod.success, { label: 'Undo', onPress: undo });
    },
    meta: { failure: messages.archiveDeliveryMethod.failure },
  });
}
