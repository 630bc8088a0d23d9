import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { reportMessages as messages, type ReportBy, type ReportPeriod } from '../../shared/reports';
import { sumCents } from '../../shared/total';
import { usStates } from '../../shared/usStates';
import { findToday } from '../dashboard/figures';
import { withLongTimeout, type Db } from '../db/core/transact';
import { findPeriod } from '../http/core/shopDays';
import { requestedDays } from './days';
import { findRows, type FigureRow } from './figures';

type ReportQuery = { period: ReportPeriod; from?: string | undefined; to?: string | undefined };

/**
 * A period's revenue by the given dimension, in US dollars. The sum's net is the dashboard's Revenue.
 * @throws Problem 400 invalid_request when the days are missing, not allowed with the period, or in the wrong order
 * Rule: docs/rules/selling.md, Reports
 */
export async function readReport(
  db: Db,
  by: ReportBy,
  query: ReportQuery,
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<Schema<'Report'>> {
  const today = await findToday(db, now, timeZone);
  const days = requestedDays(query, today);
  const { start = now, end = now } = await findPeriod(db, days, timeZone);
  const rows = await withLongTimeout(db, (tx) => findRows(tx, by, { ...days, timeZone, period: { start, end } }));
  const named = rows.map((row) => ({ row, name: nameOf(by, row), place: placeOf(row), netCents: netOf(row) }));
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
    rows: named
      .sort(orderOf(by))
      .map(({ row, name, netCents }) => ({ key: row.key, name, ...inDollars(row, netCents) })),
    sum: inDollars(sum, sumCents(named.map(({ netCents }) => netCents))),
  };
}

const netOf = ({ goodsCents, discountCents, deliveryCents, taxCents, refundCents }: FigureRow): number =>
  sumCents([goodsCents, -discountCents, deliveryCents, taxCents, -refundCents]);

const inDollars = (figures: Omit<FigureRow, 'key' | 'name'>, netCents: number): Schema<'ReportSum'> => ({
  units: figures.units,
  goods: fromCents(figures.goodsCents),
  discounts: fromCents(figures.discountCents),
  delivery: fromCents(figures.deliveryCents),
  tax: fromCents(figures.taxCents),
  refunds: fromCents(figures.refundCents),
  net: fromCents(netCents),
});

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function nameOf(by: ReportBy, { key, name }: FigureRow): string {
  if (by === 'month') return monthName.format(new Date(`${key}-01`));
  if (by === 'state') return usStates.find(({ code }) => code === key)?.name ?? key;
  if (key === 'delivery') return messages.delivery;
  if (key === 'none') return messages.noLine[by];
  return name ?? messages.deletedCategory;
}

/** `place` sorts before the net amount. */
type Named = { row: FigureRow; name: string; place: number; netCents: number };

/** Months: latest first. Others: largest first, with rows without lines at the end. */
const orderOf = (by: ReportBy) => (left: Named, right: Named) =>
  by === 'month'
    ? compare(right.row.key, left.row.key)
    : left.place - right.place ||
      right.netCents - left.netCents ||
      compare(left.name, right.name) ||
      compare(left.row.key, right.row.key);

const lastKeys = ['delivery', 'none'];
const placeOf = ({ key }: FigureRow) => lastKeys.indexOf(key) + 1;

const compare = (left: string, right: string) => (left === right ? 0 : left < right ? -1 : 1);
