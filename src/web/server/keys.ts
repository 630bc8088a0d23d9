import { v5 } from 'uuid';
import { isRejection } from './errors';

/**
 * The only source of Idempotency-Keys. A key identifies one intention: the server executes it once, however often it is
 * sent. A rejected call leaves no key on the server (src/server/http/contract/idempotency.ts).
 */
export const newKey = (): string => crypto.randomUUID();

/** For a call's `params`. */
export interface KeyHeader {
  header: { 'Idempotency-Key': string };
}

export const keyed = (key: string): KeyHeader => ({ header: { 'Idempotency-Key': key } });

/** For a change that needs one call per item: on a retry, each part gets the same key again. */
export const keyOfPart = ({ header }: KeyHeader, id: string): KeyHeader => keyed(v5(id, header['Idempotency-Key']));

/**
 * Remembers the last change whose response was lost: if the next change is identical, it is sent with the same key.
 * Only a digest is stored, since the change may contain a password.
 * @returns sends a change with a key; changes with equal `input` count as identical
 */
export function createKeyMemory() {
  let last: { digest: string; key: string } | undefined;
  return async <Result>(input: unknown, send: (keyed: KeyHeader) => Promise<Result>): Promise<Result> => {
    const digest = await digestOf(JSON.stringify(input, nameFiles) ?? '');
    if (last?.digest !== digest) last = { digest, key: newKey() };
    const { key } = last;
    const sending = send(keyed(key));
    const isLost = await sending.then(() => false).catch((error: unknown) => !isRejection(error));
    if (!isLost && last?.key === key) last = undefined;
    return sending;
  };
}

/** One memory per tab. */
export const sendOnce = createKeyMemory();

const nameFiles = (_: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;

const digestOf = async (text: string): Promise<string> =>
  String(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
