import { isNoConnection } from '../api/apiError';

export interface KeyHeader {
  header: { 'Idempotency-Key': string };
}

let last: { digest: string; key: string } | undefined;

/**
 * Sends a change of the account under a key of its own. When its answer was lost on the way, and the very same change is
 * the next one that is asked for, it goes under the same key: the server then does not do it twice.
 * @param operation the contract's name of the call
 * @param input what makes it the same change; only its digest is kept, since it may hold a password
 */
export async function onceEach<Result>(
  operation: string,
  input: unknown,
  send: (key: KeyHeader) => Promise<Result>,
): Promise<Result> {
  const digest = await digestOf(JSON.stringify([operation, input]));
  if (last?.digest !== digest) last = { digest, key: crypto.randomUUID() };
  const { key } = last;
  try {
    const result = await send({ header: { 'Idempotency-Key': key } });
    forget(key);
    return result;
  } catch (error) {
    if (!isNoConnection(error)) forget(key);
    throw error;
  }
}

function forget(key: string): void {
  if (last?.key === key) last = undefined;
}

async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return String(new Uint8Array(bytes));
}
