import { type MutationKey, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer } from '../api/client';
import { personalKey, type Says } from '../api/queryClient';
import { session } from '../api/session';

/** Whatever staff read stands under this key: it goes with the session, and a change makes all of it stale. */
export const staffKey = (...rest: QueryKey): QueryKey => [...personalKey(session.get()?.id ?? ''), 'admin', ...rest];

export type KeyHeader = { header: { 'Idempotency-Key': string } };

interface Options<Input, Data> {
  /** The change itself; `keyed` goes into the call's `params`. */
  send: (input: Input, keyed: KeyHeader) => Promise<Data>;
  onSuccess?: (data: Data, input: Input) => unknown;
  meta: Says;
  /** By which others find it while it is under way. */
  mutationKey?: MutationKey;
}

/**
 * A change by staff goes straight to the server, never through the outbox, and is done when the server said so. Sent
 * again because its answer was lost, the same change is the same intention, with the same key.
 */
export function useStaffChange<Input, Data>({ send, onSuccess, meta, mutationKey }: Options<Input, Data>) {
  const cache = useQueryClient();
  const intention = useRef<{ input: string; key: string }>(undefined);
  const keyed = (input: Input): KeyHeader => {
    const text = JSON.stringify(input, nameFiles) ?? '';
    if (intention.current?.input !== text) intention.current = { input: text, key: crypto.randomUUID() };
    return { header: { 'Idempotency-Key': intention.current.key } };
  };
  return useMutation({
    mutationFn: (input: Input) => send(input, keyed(input)),
    onSuccess: async (data, input) => {
      intention.current = undefined;
      await onSuccess?.(data, input);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: staffKey() }),
    meta,
    ...(mutationKey && { mutationKey }),
  });
}

const nameFiles = (_: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;

/** @returns a CSV file as text. @throws ApiError when the server refused */
export async function readCsv(call: Promise<{ data?: string; response: Response; error?: unknown }>): Promise<string> {
  return answer(call.then(({ data, ...rest }) => ({ ...rest, ...(data !== undefined && { data: { data } }) })));
}

type FormValue = string | number | boolean | Blob | null | undefined;
export type FormFields = Readonly<Record<string, FormValue | readonly string[]>>;

/** For a call's `bodySerializer`: each field as the text that a multipart form carries, lists as repeated fields. */
export function asForm(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const values = typeof value === 'object' && value !== null && 'length' in value ? value : [value];
    if (values.length === 0) form.append(name, ''); // an empty list is said, too
    for (const each of values) {
      if (each === undefined) continue;
      if (each instanceof Blob) form.append(name, each);
      else form.append(name, each === null ? '' : String(each));
    }
  }
  return form;
}
