import type { BodyOf } from '../../../shared/contract';
import { type DeliveryMethod, deliveryMessages as messages } from '../../../shared/delivery';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import type { KeyHeader } from '../../server/keys';
import { keyOfPart } from '../keyOfPart';
import { toast } from '../../ui/toast';
import { changedFields } from '../changedFields';
import { staffQuery, useStaffChange } from '../staffCalls';

type MethodForm = BodyOf<'updateDeliveryMethod'>;

/** Reads all methods; there are at most 50. */
const readMethods = async (signal?: AbortSignal): Promise<DeliveryMethod[]> => {
  const call = api.GET('/admin/delivery-methods', { params: { query: { size: 100 } }, ...(signal && { signal }) });
  return (await answer(call)).deliveryMethods.content;
};

export const methodsQuery = () => staffQuery(['delivery'], readMethods);

/** Omits the position: without it the server leaves the position unchanged. */
const formOf = ({ id: _id, position: _position, ...form }: DeliveryMethod): MethodForm => form;

/** The body depends on what was just read, so a repeated call keeps its idempotency key only with the same body. */
const put = (id: string, body: MethodForm, keyed: KeyHeader) =>
  answer(
    api.PUT('/admin/delivery-methods/{id}', {
      params: { path: { id }, ...keyOfPart(keyed, JSON.stringify(body)) },
      body,
    }),
  );

/**
 * Changes some fields of a method, on top of its current values.
 * @throws ApiError 404 method_not_found if it was archived meanwhile, because the call itself would restore it
 */
async function putFields(id: string, fields: Partial<MethodForm>, keyed: KeyHeader) {
  const method = (await readMethods()).find((each) => each.id === id);
  if (!method) throw new ApiError(404, { code: 'method_not_found', message: messages.notFound });
  return put(id, { ...formOf(method), ...fields }, keyed);
}

/** @param method the form's initial values; undefined: a new method */
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

/** `message` is the toast's message, `before` the fields that Undo restores. */
interface Change {
  id: string;
  fields: Partial<MethodForm>;
  message?: string;
  before?: Partial<MethodForm>;
}

function usePutFields(onSuccess?: (change: Change) => void) {
  return useStaffChange({
    send: ({ id, fields }: Change, keyed) => putFields(id, fields, keyed),
    onSuccess: (_, change: Change) => onSuccess?.(change),
    meta: { failure: messages.updateDeliveryMethod.failure },
  });
}

/** Moves a method, or turns it on or off. */
export function useChangeMethod() {
  const { mutate: undo } = usePutFields();
  return usePutFields(({ id, message, before }) => {
    if (message && before) toast.success(message, { label: 'Undo', onPress: () => undo({ id, fields: before }) });
  });
}

export function useArchiveMethod(onArchived: () => void) {
  const { mutate: restore } = useStaffChange({
    send: async (method: DeliveryMethod, keyed) => {
      const isBack = (await readMethods()).some(({ id }) => id === method.id); // a colleague has already restored it
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
