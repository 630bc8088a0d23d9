import { formatMoney, toCents } from '../../../shared/money';
import { type SalesFigure, takenFigures } from '../../../shared/reports';
import type { Report, ReportRow, Summary, SummaryRow } from './queries';

/** Rows of a product, category or state, as opposed to delivery and refunds without a line. */
export const isNamed = ({ key }: Pick<ReportRow | SummaryRow, 'key'>): boolean => key !== 'delivery' && key !== 'none';

/** The current month. */
export const isCurrentMonth = (
  { by, today }: Pick<Report | Summary, 'by' | 'today'>,
  { key }: Pick<ReportRow | SummaryRow, 'key'>,
): boolean => by === 'month' && key === today.slice(0, 7);

/** @returns '$4.35', '−$4.35' with a true minus sign, or a dash for 0 */
export function moneyOf(dollars: number, { isTaken = false } = {}): string {
  const cents = toCents(dollars) * (isTaken ? -1 : 1);
  if (cents === 0) return '–';
  return cents < 0 ? `−${formatMoney(-cents)}` : formatMoney(cents);
}

/** @returns a net total as text, including '$0.00' */
export const netOf = (dollars: number): string => (dollars === 0 ? formatMoney(0) : moneyOf(dollars));

/** @returns the search of the orders' list that shows the orders counted in a row */
export function ordersOf(
  { by, from, to }: Pick<Report | Summary, 'by' | 'from' | 'to'>,
  { key }: Pick<ReportRow | SummaryRow, 'key'>,
): Record<string, string> {
  const counted = { days: `${from}_${to}`, by: 'money' };
  if (by === 'code') return { ...counted, discount: key };
  if (by === 'day') return { ...counted, days: `${key}_${key}` };
  if (by === 'month') return { ...counted, days: daysOfMonth(key, { from, to }) };
  return by ? { ...counted, [by]: key } : counted;
}

function daysOfMonth(month: string, { from, to }: { from: string; to: string }): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  const first = `${month}-01`;
  return `${from > first ? from : first}_${to < last ? to : last}`;
}

/** @returns a figure of the sales summary: what takes from the others with a minus sign, an unknown one as a dash */
export function figureOf(figure: SalesFigure, dollars: number | null): string {
  if (dollars === null) return '—';
  return moneyOf(dollars, { isTaken: takenFigures.includes(figure) });
}

const percent = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const change = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const withMinus = (text: string) => text.replace('-', '−');

/** @returns '+10.6%', or a dash if there was nothing before */
export const changeOf = (now: number, before: number): string =>
  before === 0 ? '–' : withMinus(change.format((now - before) / Math.abs(before)));

/** @returns '63.5%' of net sales, or a dash */
export const marginOf = ({ grossProfit, netSales }: Pick<SummaryRow, 'grossProfit' | 'netSales'>): string =>
  grossProfit === null || netSales <= 0 ? '–' : withMinus(percent.format(grossProfit / netSales));
