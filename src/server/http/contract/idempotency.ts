/**
 * Runs a repeated mutation only once. The key's row is written first, in the same transaction as the effect. A duplicate
 * that arrives meanwhile blocks on that row and then finds the saved response. An error rolls the row back with everything
 * else, so the same key can be tried again. Rule: docs/rules/wire.md, Idempotency
 */
import { createHash, createHmac } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { isDatabaseOutOfReach } from '../../db/core/errors';
import { idempotencyKeys } from '../../db/schema/tables';
import { type Connection, type Db, prepared, sendLast, statement, type Tx } from '../../db/core/transact';
import { Problem } from '../core/problems';

export type KeyedRequest = { scope: string; key: string; requestHash: Buffer; now: Date };
export type SavedResponse = { status: number; answer: unknown };

/** Runs `work` unless the response of `request` is already saved. @throws Problem 422 when the key was used for another request */
export async function once(
  tx: Tx,
  request: KeyedRequest,
  work: () => Promise<SavedResponse>,
): Promise<SavedResponse & { replayed: boolean }> {
  const { scope, key, requestHash, now } = request;
  const claimed = await claimKey(tx, [scope, key, requestHash, now]);
  if (claimed.length === 0) {
    const saved = await findResponse(tx, request);
    if (saved) return { ...saved, replayed: true };
    throw new Error('an idempotency key was committed without its response');
  }
  const response = await work();
  sendLast(tx, () => saveResponse(tx, [scope, key, response.status, JSON.stringify(response.answer ?? null)]));
  return { ...response, replayed: false };
}

// plain SQL: these run for every change, and building the query each time would cost too much
const claimKey = statement<{ key: string }>(
  'claim_key',
  `insert into idempotency_keys (scope, key, request_hash, created_at) values ($1, $2, $3, $4)
  on conflict do nothing returning key`,
);
const saveResponse = statement(
  'save_response',
  `update idempotency_keys set status = $3, answer = $4 where scope = $1 and key = $2`,
);

/** The response saved for `request`, if any. @throws Problem 422 idempotency_key_reused */
async function findResponse(connection: Connection, request: KeyedRequest): Promise<SavedResponse | undefined> {
  const [row] = await connection.select().from(idempotencyKeys).where(isKey(request));
  if (!row) return undefined;
  if (!row.requestHash.equals(request.requestHash)) {
    throw new Problem(422, 'idempotency_key_reused', 'This Idempotency-Key was already used for a different request');
  }
  return row.status === null ? undefined : { status: row.status, answer: row.answer };
}

/**
 * Like `once`, for an operation that runs its own transactions and has idempotent writes, so duplicates may run
 * concurrently. The key is claimed before the work, so that a different request with it is rejected immediately, and
 * released after an error.
 * @throws Problem 422 idempotency_key_reused
 */
export async function onceWithoutTransaction(
  db: Db,
  request: KeyedRequest,
  work: () => Promise<SavedResponse>,
): Promise<SavedResponse & { replayed: boolean }> {
  const { scope, key, requestHash, now } = request;
  const claim = { scope, key, requestHash, createdAt: now };
  const claimed = await claimWithoutTransaction(db).execute(claim);
  const saved = claimed.length === 0 ? await findResponse(db, request) : undefined;
  if (saved) return { ...saved, replayed: true };
  try {
    const response = await work();
    await saveWithoutTransaction(db).execute({ ...claim, ...response });
    return { ...response, replayed: false };
  } catch (error) {
    // skip the release if the database is unreachable: a retry of the same request reuses the claim
    if (error instanceof Problem || !isDatabaseOutOfReach(error))
      await db.delete(idempotencyKeys).where(and(isKey(request), isNull(idempotencyKeys.status)));
    throw error;
  }
}

const placeholders = {
  scope: sql.placeholder('scope'),
  key: sql.placeholder('key'),
  requestHash: sql.placeholder('requestHash'),
  createdAt: sql.placeholder('createdAt'),
};
const claimWithoutTransaction = prepared('claim_key_by_itself', (connection) =>
  connection.insert(idempotencyKeys).values(placeholders).onConflictDoNothing().returning({ key: idempotencyKeys.key }),
);
const saveWithoutTransaction = prepared('save_response_by_itself', (connection) =>
  connection
    .insert(idempotencyKeys)
    .values({ ...placeholders, status: sql.placeholder('status'), answer: sql.placeholder('answer') })
    .onConflictDoUpdate({
      target: [idempotencyKeys.scope, idempotencyKeys.key],
      set: { status: sql`excluded.status`, answer: sql`excluded.answer` },
    }),
);

const isKey = ({ scope, key }: KeyedRequest) => and(eq(idempotencyKeys.scope, scope), eq(idempotencyKeys.key, key));

/**
 * Identifies a request by operation, path, query and body, independent of the order of object keys. It is an HMAC with the
 * server's key, since a body may contain a password, which could be guessed from a plain hash.
 */
export function hashRequest(key: Uint8Array, operationId: string, ...parts: unknown[]): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(canonical([operationId, ...parts])))
    .digest();
}

/** Sorts keys, and replaces a file by its hash: as JSON it would be an array of ten million numbers. */
function canonical(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return createHash('sha256').update(value).digest('hex');
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, canonical(part)]));
}
