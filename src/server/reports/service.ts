import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import type { ReportBy } from '../../shared/reports';
import { sumCents } from '../../shared/total';
import type { Units } from '../../shared/unitPrice';
import { withLongTimeout, type Db } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { findToday } from '../http/core/shopDays';
import { type ReportDays, requestedDays } from './days';
import { type Figures, findRows, findSum } from './figures';
import { nameOf } from './names';

/**
 * A period's revenue by the given dimension, in US dollars. The sum's net is the dashboard's Revenue.
 * @param page undefined: all rows
 * @throws Problem 400 invalid_request when the days are missing, not allowed with the period, or in the wrong order
 * Rule: docs/rules/selling.md, Reports
 */
export async function readReport(
  db: Db,
  by: ReportBy,
  query: ReportDays,
  { timeZone, units, now }: { timeZone: string; units: Units; now: Date },
  page?: PageRequest,
): Promise<Schema<'Report'>> {
  const today = await findToday(db, now, timeZone);
  const days = requestedDays(query, today);
  // in one snapshot, so that the rows add up to the sum
  const { found, sum } = await withLongTimeout(
    db,
    async (tx) => ({
      found: await findRows(tx, by, { ...days, timeZone }, page),
      sum: await findSum(tx, by, { ...days, timeZone }),
    }),
    { isolationLevel: 'repeatable read' },
  );
  return {
    by,
    ...days,
    today,
    timeZone,
    ...found,
    rows: found.rows.map((row) => ({ key: row.key, name: nameOf(by, row, units), ...inDollars(row) })),
    sum: inDollars(sum),
  };
}

const inDollars = (figures: Figures): Schema<'ReportSum'> => ({
  units: figures.units,
  goods: fromCents(figures.goodsCents),
  discounts: fromCents(figures.discountCents),
  delivery: fromCents(figures.deliveryCents),
  tax: fromCents(figures.taxCents),
  refunds: fromCents(figures.refundCents),
  net: fromCents(netOf(figures)),
});

const netOf = ({ goodsCents, discountCents, deliveryCents, taxCents, refundCents }: Figures): number =>
  sumCents([goodsCents, -discountCents, deliveryCents, taxCents, -refundCents]);
