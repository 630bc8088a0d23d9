import {
  keepPreviousData,
  type MutationMeta,
  type MutationKey,
  type MutationScope,
  type QueryKey,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { answer } from '../server/client';
import { createKeyMemory } from '../server/keyMemory';
import type { KeyHeader } from '../server/keys';
import { personalKey } from '../server/queries';
import { session } from '../server/session';

/** The key prefix of all staff queries: they are deleted with the session, and a change invalidates all of them. */
export const staffKey = (...rest: QueryKey): QueryKey => [...personalKey(session.get()?.id ?? ''), 'admin', ...rest];

type Read<Data> = (signal: AbortSignal) => Promise<Data>;

export const staffQuery = <Data>(key: QueryKey, read: Read<Data>) =>
  queryOptions({ queryKey: staffKey(...key), queryFn: ({ signal }) => read(signal) });

/** A query that keeps its previous data while another page or filter loads. */
export const staffListQuery = <Data>(key: QueryKey, read: Read<Data>) =>
  queryOptions({ ...staffQuery(key, read), placeholderData: keepPreviousData });

interface Options<Input, Data> {
  /** Sends the change; pass `keyed` in the call's `params`. */
  send: (input: Input, keyed: KeyHeader) => Promise<Data>;
  onSuccess?: (data: Data, input: Input) => unknown;
  meta: MutationMeta;
  /** Lets other components find it while it is in flight. */
  mutationKey?: MutationKey;
  /** Changes of the same scope are sent one after the other. */
  scope?: MutationScope;
}

/**
 * A change by staff goes directly to the server, never through the outbox, and is done when the server confirms it. A
 * retry after a lost response is the same intention and uses the same idempotency key.
 */
export function useStaffChange<Input, Data>({ send, onSuccess, meta, mutationKey, scope }: Options<Input, Data>) {
  const cache = useQueryClient();
  const [sendOnce] = useState(createKeyMemory);
  return useMutation({
    mutationFn: (input: Input) => sendOnce(input, (keyed) => send(input, keyed)),
    onSuccess: (data, input) => onSuccess?.(data, input),
    onSettled: () => cache.invalidateQueries({ queryKey: staffKey() }),
    meta,
    ...(mutationKey && { mutationKey }),
    ...(scope && { scope }),
  });
}

/** @returns a CSV file as text. @throws ApiError if the server rejected the call */
export async function readCsv(call: Promise<{ data?: string; response: Response; error?: unknown }>): Promise<string> {
  return answer(call.then(({ data, ...rest }) => ({ ...rest, ...(data !== undefined && { data: { data } }) })));
}

type FormValue = string | number | boolean | Blob | null | undefined;
export type FormFields = Readonly<Record<string, FormValue | readonly string[]>>;

/**
 * A call's body as a multipart form. The only place where the call's type and the sent data differ: openapi-fetch types
 * such a body as the object that the server parses from it, with numbers and lists, but form fields are strings.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the body's type
export const multipart = <Body extends object>(fields: FormFields) => ({
  body: fields as unknown as Body,
  bodySerializer: () => asForm(fields),
});

/** Each field as text, as multipart forms require; lists become repeated fields. */
export function asForm(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const values = typeof value === 'object' && value !== null && 'length' in value ? value : [value];
    if (values.length === 0) form.append(name, ''); // an empty list is sent, too
    for (const each of values) {
      if (each === undefined) continue;
      if (each instanceof Blob) form.append(name, each);
      else form.append(name, each === null ? '' : String(each));
    }
  }
  return form;
}
