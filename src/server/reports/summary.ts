import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { periodBefore, type SummaryBy } from '../../shared/reports';
import type { Units } from '../../shared/unitPrice';
import { type Db, withLongTimeout } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { findToday } from '../http/core/shopDays';
import { type ReportDays, requestedDays } from './days';
import { nameOf } from './names';
import { findSummaryRows, findSums, type Sums } from './summaryFigures';

/**
 * A period's sales, refunds, costs and gross profit in US dollars, with those of the period before. The total is the
 * dashboard's Revenue.
 * @param page undefined: all rows
 * @throws Problem 400 invalid_request when the days are missing, not allowed with the period, or in the wrong order
 * Rule: docs/rules/selling.md, Sales summary
 */
export async function readSummary(
  db: Db,
  { by, ...query }: ReportDays & { by?: SummaryBy | undefined },
  { timeZone, units, now }: { timeZone: string; units: Units; now: Date },
  page?: PageRequest,
): Promise<Schema<'SalesSummary'>> {
  const today = await findToday(db, now, timeZone);
  const days = requestedDays(query, today);
  const before = periodBefore(days);
  // in one snapshot, so that the rows add up to the sums
  const read = await withLongTimeout(
    db,
    async (tx) => ({
      sums: await findSums(tx, { ...days, timeZone }),
      previous: await findSums(tx, { ...before, timeZone }),
      found: by && (await findSummaryRows(tx, by, { ...days, timeZone }, page)),
    }),
    { isolationLevel: 'repeatable read' },
  );
  return {
    ...days,
    today,
    timeZone,
    ...inDollars(read.sums),
    previous: { ...before, ...inDollars(read.previous) },
    ...(by &&
      read.found && {
        by,
        totalRows: read.found.totalRows,
        rows: read.found.rows.map((row) => ({ key: row.key, name: nameOf(by, row, units), ...inDollars(row) })),
      }),
  };
}

const inDollars = (sums: Sums): Omit<Schema<'SalesPeriod'>, 'from' | 'to'> => ({
  units: sums.units,
  grossSales: fromCents(sums.grossCents),
  discounts: fromCents(sums.discountCents),
  returns: fromCents(sums.returnedCents),
  netSales: fromCents(sums.netCents),
  delivery: fromCents(sums.deliveryCents),
  tax: fromCents(sums.taxCents),
  total: fromCents(sums.totalCents),
  costOfGoods: sums.costCents === null ? null : fromCents(sums.costCents),
  restockedCost: fromCents(sums.restockedCostCents),
  grossProfit: sums.costCents === null ? null : fromCents(sums.netCents - sums.costCents),
  unitsWithoutCost: sums.unitsWithoutCost,
});
