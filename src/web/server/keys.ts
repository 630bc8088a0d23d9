import { v5 } from 'uuid';
import { isRejection } from './errors';

/**
 * The only maker of Idempotency-Keys. A key stands for one intention: the server does what comes under it once, however
 * often it is sent. What the server refused has left no key there (src/server/http/contract/idempotency.ts).
 */
export const newKey = (): string => crypto.randomUUID();

/** For a call's `params`. */
export interface KeyHeader {
  header: { 'Idempotency-Key': string };
}

export const keyed = (key: string): KeyHeader => ({ header: { 'Idempotency-Key': key } });

/** For a change that takes a call for each of several things: repeated, each part has the same key again. */
export const keyOfPart = ({ header }: KeyHeader, id: string): KeyHeader => keyed(v5(id, header['Idempotency-Key']));

/**
 * Remembers the last change whose answer was lost: when the very same change is the next one that is asked for, it goes
 * under the same key. Only a digest of the change is kept, since it may hold a password.
 * @returns sends a change under a key; its `input` is what makes it the same change as another one
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

/** With one memory for the tab. */
export const sendOnce = createKeyMemory();

const nameFiles = (_: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;

const digestOf = async (text: string): Promise<string> =>
  String(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
