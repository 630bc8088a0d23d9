import { asc, eq, sql } from 'drizzle-orm';
import { taxRates } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';

export type TaxRateRow = typeof taxRates.$inferSelect;

export const findRates = (connection: Connection, { page, size }: PageRequest): Promise<TaxRateRow[]> =>
  connection
    .select()
    .from(taxRates)
    .orderBy(asc(taxRates.state))
    .limit(size)
    .offset(page * size);

export const countRates = (connection: Connection): Promise<number> => connection.$count(taxRates);

/** All rates by state. Takes a lock that serializes changes of rates. */
export async function lockRates(tx: Tx): Promise<Map<string, TaxRateRow>> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ratesLock})`);
  const rows = await tx.select().from(taxRates);
  return new Map(rows.map((row) => [row.state, row]));
}

const ratesLock = 727_021;

export async function putRate(tx: Tx, rate: TaxRateRow): Promise<void> {
  await tx.insert(taxRates).values(rate).onConflictDoUpdate({ target: taxRates.state, set: rate });
}

export async function deleteRate(tx: Tx, state: string): Promise<void> {
  await tx.delete(taxRates).where(eq(taxRates.state, state));
}
