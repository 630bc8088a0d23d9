import { isRejection } from './errors';
import { keyed, type KeyHeader, newKey } from './keys';

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
