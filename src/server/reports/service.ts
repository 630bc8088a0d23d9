import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import type { ReportBy } from '../../shared/reports';
import { sumCents } from '../../shared/total';
import type { Units } from '../../shared/unitPrice';
import { withLongTimeout, type Db } from '../db/core/transact';
import { findToday } from '../http/core/shopDays';
import { type ReportDays, requestedDays } from './days';
import { findRows, type FigureRow } from './figures';
import { nameOf, type Unnamed } from './names';

/**
 * A period's revenue by the given dimension, in US dollars. The sum's net is the dashboard's Revenue.
 * @throws Problem 400 invalid_request when the days are missing, not allowed with the period, or in the wrong order
 * Rule: docs/rules/selling.md, Reports
 */
export async function readReport(
  db: Db,
  by: ReportBy,
  query: ReportDays,
  { timeZone, units, now }: { timeZone: string; units: Units; now: Date },
): Promise<Schema<'Report'>> {
  const today = await findToday(db, now, timeZone);
  const days = requestedDays(query, today);
  const rows = await withLongTimeout(db, (tx) => findRows(tx, by, { ...days, timeZone }));
  const sumOf = (part: (row: FigureRow) => number) => sumCents(rows.map(part));
  const sum = {
    units: sumOf(({ units }) => units),
    goodsCents: sumOf(({ goodsCents }) => goodsCents),
    discountCents: sumOf(({ discountCents }) => discountCents),
    deliveryCents: sumOf(({ deliveryCents }) => deliveryCents),
    taxCents: sumOf(({ taxCents }) => taxCents),
    refundCents: sumOf(({ refundCents }) => refundCents),
  };
  return {
    by,
    ...days,
    today,
    timeZone,
    rows: rows.map((row) => Object.assign(inDollars(row), { key: row.key, name: nameOf(by, row, units) })),
    sum: inDollars(sum),
  };
}

const inDollars = (figures: Omit<FigureRow, keyof Unnamed>): Schema<'ReportSum'> => ({
  units: figures.units,
  goods: fromCents(figures.goodsCents),
  discounts: fromCents(figures.discountCents),
  delivery: fromCents(figures.deliveryCents),
  tax: fromCents(figures.taxCents),
  refunds: fromCents(figures.refundCents),
  net: fromCents(
    sumCents([
      figures.goodsCents,
      -figures.discountCents,
      figures.deliveryCents,
      figures.taxCents,
      -figures.refundCents,
    ]),
  ),
});
