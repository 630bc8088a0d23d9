import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { reportMessages as messages, type ReportBy, type ReportPeriod } from '../../shared/reports';
import { sumCents } from '../../shared/total';
import { usStates } from '../../shared/usStates';
import { findToday } from '../dashboard/figures';
import { withLongTimeout, type Db } from '../db/core/transact';
import { findPeriod } from '../http/core/shopDays';
import { daysAsked } from './days';
import { findRows, type FoundRow } from './figures';

type Asked = { period: ReportPeriod; from?: string | undefined; to?: string | undefined };

/**
 * What was earned in a period by something, in US dollars. The sum's net is the dashboard's Revenue.
 * @throws Problem 400 invalid_request when the days are missing, too many or in the wrong order
 * Rule: docs/rules/selling.md, Reports
 */
export async function readReport(
  db: Db,
  by: ReportBy,
  asked: Asked,
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<Schema<'Report'>> {
  const today = await findToday(db, now, timeZone);
  const days = daysAsked(asked, today);
  const { start = now, end = now } = await findPeriod(db, days, timeZone);
  const rows = await withLongTimeout(db, (tx) => findRows(tx, by, { ...days, timeZone, period: { start, end } }));
  const named = rows.map((row) => ({ row, name: nameOf(by, row), place: placeOf(row), netCents: netOf(row) }));
  const sumOf = (part: (row: FoundRow) => number) => sumCents(rows.map(part));
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

const netOf = ({ goodsCents, discountCents, deliveryCents, taxCents, refundCents }: FoundRow): number =>
  sumCents([goodsCents, -discountCents, deliveryCents, taxCents, -refundCents]);

const inDollars = (figures: Omit<FoundRow, 'key' | 'name'>, netCents: number): Schema<'ReportSum'> => ({
  units: figures.units,
  goods: fromCents(figures.goodsCents),
  discounts: fromCents(figures.discountCents),
  delivery: fromCents(figures.deliveryCents),
  tax: fromCents(figures.taxCents),
  refunds: fromCents(figures.refundCents),
  net: fromCents(netCents),
});

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function nameOf(by: ReportBy, { key, name }: FoundRow): string {
  if (by === 'month') return monthName.format(new Date(`${key}-01`));
  if (by === 'state') return usStates.find(({ code }) => code === key)?.name ?? key;
  if (key === 'delivery') return messages.delivery;
  if (key === 'none') return messages.noLine[by];
  return name ?? messages.deletedCategory;
}

/** `place` is where a row stands before its net counts. */
type Named = { row: FoundRow; name: string; place: number; netCents: number };

/** Months the latest first; others the largest first, and at the end what is of no line. */
const orderOf = (by: ReportBy) => (one: Named, other: Named) =>
  by === 'month'
    ? compare(other.row.key, one.row.key)
    : one.place - other.place ||
      other.netCents - one.netCents ||
      compare(one.name, other.name) ||
      compare(one.row.key, other.row.key);

const atTheEnd = ['delivery', 'none'];
const placeOf = ({ key }: FoundRow) => atTheEnd.indexOf(key) + 1;

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
