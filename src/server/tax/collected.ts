/** Sales and sales tax by state in a period. Rule: docs/rules/selling.md, Tax to remit */
import { sql, type SQL } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { fromRatePpm } from '../../shared/total';
import { stateName } from '../../shared/usStates';
import type { Connection } from '../db/core/transact';
import type { Period } from '../http/core/shopDays';
import type { Column } from '../http/csv/csvDownload';

/** `grossCents` is goods after the discount and delivery; `taxableCents` is the part of it that was taxed. */
export type Collected = {
  state: string;
  orders: number;
  grossCents: number;
  taxableCents: number;
  /** In millionths, lowest first. */
  ratesPpm: number[];
  taxCents: number;
  refundedCents: number;
};

/** Orders paid in the period, and tax refunded in the period. A refunded second payment is not the order's own money. */
export async function findCollected(connection: Connection, period: Period): Promise<Collected[]> {
  type Sums = Record<'orders' | 'gross' | 'taxable' | 'tax' | 'refunded', string>;
  const { rows } = await connection.execute<Sums & { state: string; rates: number[] | null }>(sql`
    select state, sum(orders) as orders, sum(gross) as gross, sum(taxable) as taxable, sum(tax) as tax,
      sum(refunded) as refunded, array_agg(distinct rate order by rate) filter (where rate is not null) as rates
    from (
      select state, tax_rate_ppm as rate, count(*) as orders, sum(total_cents) - sum(tax_cents) as gross,
        sum(taxed_cents) as taxable, sum(tax_cents) as tax, 0 as refunded
      from orders where ${isIn(sql`paid_at`, period)} group by 1, 2
      union all
      select orders.state, tax_rate_ppm, 0, 0, 0, 0, sum(refunds.tax_cents)
      from refunds join orders on orders.id = order_id
      where refunds.tax_cents > 0 and refunds.state = 'done' and stray_payment_id is null
        and ${isIn(sql`done_at`, period)}
      group by 1, 2
    ) as moves
    group by state
    order by count(rate) = 0, sum(tax) desc, sum(gross) desc, state`);
  return rows.map(({ state, orders, gross, taxable, rates, tax, refunded }) => ({
    state,
    orders: Number(orders),
    grossCents: Number(gross),
    taxableCents: Number(taxable),
    ratesPpm: rates ?? [],
    taxCents: Number(tax),
    refundedCents: Number(refunded),
  }));
}

const isIn = (moment: SQL, { start, end }: Period): SQL => sql`${moment} is not null
  ${start ? sql`and ${moment} >= ${start.toISOString()}` : sql``}
  ${end ? sql`and ${moment} < ${end.toISOString()}` : sql``}`;

const exemptCents = ({ grossCents, taxableCents }: Collected): number => grossCents - taxableCents;
const remitCents = ({ taxCents, refundedCents }: Collected): number => taxCents - refundedCents;

export const presentCollected = (row: Collected): Schema<'TaxCollected'> => ({
  state: row.state,
  orders: row.orders,
  gross: fromCents(row.grossCents),
  exempt: fromCents(exemptCents(row)),
  taxable: fromCents(row.taxableCents),
  taxed: fromCents(row.taxableCents),
  rates: row.ratesPpm.map(fromRatePpm),
  tax: fromCents(row.taxCents),
  refunded: fromCents(row.refundedCents),
  toRemit: fromCents(remitCents(row)),
});

export const collectedColumns: readonly Column<Collected & { id: string }>[] = [
  { header: 'State', cell: ({ state }) => stateName(state) },
  { header: 'Orders', cell: ({ orders }) => orders },
  { header: 'Gross sales', cell: ({ grossCents: cents }) => ({ cents }) },
  { header: 'Exempt sales', cell: (row) => ({ cents: exemptCents(row) }) },
  { header: 'Taxable sales', cell: ({ taxableCents: cents }) => ({ cents }) },
  { header: 'Rate', cell: ({ ratesPpm }) => ratesPpm.map(fromRatePpm).join(', ') },
  { header: 'Tax', cell: ({ taxCents: cents }) => ({ cents }) },
  { header: 'Refunded', cell: ({ refundedCents }) => ({ cents: -refundedCents }) },
  { header: 'To remit', cell: (row) => ({ cents: remitCents(row) }) },
];
