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
