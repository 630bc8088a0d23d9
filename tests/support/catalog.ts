/** Steps shared by the catalog tests. */
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { products } from '../../src/server/db/schema/tables';
import { transact, type Db } from '../../src/server/db/core/transact';
import { adjustStock } from '../../src/server/stock/service';

/** Puts units into stock (above 0) or takes them out (below 0), through the stock service. */
export const moveStock = (db: Db, productId: string, units: number): Promise<void> =>
  transact(db, (tx) => adjustStock(tx, { productId, units, reason: 'Test', byUserId: null, now: new Date() }));

/** A catalog response as it is on the wire. @param etag the ETag of the client's copy */
export async function read(app: FastifyInstance, url: string, etag?: string) {
  const headers = etag === undefined ? {} : { 'if-none-match': etag };
  const answer = await app.inject({ method: 'GET', url: `/api${url}`, headers });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    etag: String(answer.headers['etag']),
    body: answer.body,
  };
}

const isNoClock = (text: string) => !text.includes('clock_timestamp()');

/**
 * How many statements `work` sends to the database. Statements that the shop sends meanwhile count too, such as notices
 * of earlier changes, so a test that follows others must say which ones it means.
 * @param isMeant filters by a statement's text; default: all except those of the shop's clock, which runs now and then
 */
export async function countQueries(
  pool: Pool,
  work: () => Promise<unknown>,
  isMeant: (text: string) => boolean = isNoClock,
): Promise<number> {
  const restorers = new Map<PoolClient, () => void>();
  let count = 0;
  const watch = (client: PoolClient) => {
    if (restorers.has(client)) return;
    const { query: usual } = client as { query: (this: PoolClient, ...sent: unknown[]) => unknown };
    restorers.set(client, () => Object.assign(client, { query: usual }));
    const counted = (...sent: unknown[]) => {
      const [first] = sent as [string | { text?: string } | undefined];
      if (isMeant(typeof first === 'string' ? first : (first?.text ?? ''))) count++;
      return usual.apply(client, sent);
    };
    Object.assign(client, { query: counted });
  };
  pool.on('acquire', watch);
  try {
    await work();
  } finally {
    pool.off('acquire', watch);
    for (const restore of restorers.values()) restore();
  }
  return count;
}

export async function feedOf(db: Db, productId: string): Promise<{ version: number; position: number }> {
  const [row] = await db
    .select({ version: products.version, position: products.changeCursor })
    .from(products)
    .where(eq(products.id, productId));
  if (!row) throw new Error('no such product');
  return row;
}

/** A form as a browser sends it; a list becomes a repeated field. */
export async function multipart(fields: Record<string, string | string[] | Blob>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : 'picture.png');
    else for (const text of [value].flat()) form.append(name, text);
  }
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return { headers, payload: Buffer.from(await request.arrayBuffer()) };
}
