import { asc, eq, sql } from 'drizzle-orm';
import { taxRates } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import type { Period } from '../http/core/shopDays';

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

export type CollectedRow = {
  state: string;
  orders: number;
  taxedCents: number;
  taxCents: number;
  refundedCents: number;
};

/** Per state, the tax on orders paid in the period, and the tax refunded in the period. */
export async function findCollected(connection: Connection, period: Period): Promise<CollectedRow[]> {
  const isIn = (moment: ReturnType<typeof sql>) => sql`${moment} is not null
    ${period.start ? sql`and ${moment} >= ${period.start.toISOString()}` : sql``}
    ${period.end ? sql`and ${moment} < ${period.end.toISOString()}` : sql``}`;
  type Row = { state: string; orders: string; taxed: string; tax: string; refunded: string };
  const { rows } = await connection.execute<Row>(sql`
    select state, sum(orders) as orders, sum(taxed) as taxed, sum(tax) as tax, sum(refunded) as refunded from (
      select tax_state as state, 1 as orders, taxed_cents::bigint as taxed, tax_cents::bigint as tax, 0::bigint as refunded
        from orders where tax_state is not null and ${isIn(sql`paid_at`)}
      union all
      select tax_state, 0, 0, 0, refunds.tax_cents
        from refunds join orders on orders.id = order_id
        where tax_state is not null and refunds.tax_cents > 0 and refunds.state = 'done'
          and stray_payment_id is null and ${isIn(sql`done_at`)}
    ) as moves group by state order by sum(tax) desc, state`);
  return rows.map(({ state, orders, taxed, tax, refunded }) => ({
    state,
    orders: Number(orders),
    taxedCents: Number(taxed),
    taxCents: Number(tax),
    refundedCents: Number(refunded),
  }));
}
