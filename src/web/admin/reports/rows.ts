import { formatMoney, toCents } from '../../../shared/money';
import type { Report, ReportRow } from './queries';

/** Rows of a product, category or state, as opposed to delivery and refunds without a line. */
export const isNamed = ({ key }: ReportRow): boolean => key !== 'delivery' && key !== 'none';

/** The current month. */
export const isCurrentMonth = ({ by, today }: Report, { key }: ReportRow): boolean =>
  by === 'month' && key === today.slice(0, 7);

/** @returns '$4.35', '−$4.35' with a true minus sign, or a dash for 0 */
export function moneyOf(dollars: number, { isTaken = false } = {}): string {
  const cents = toCents(dollars) * (isTaken ? -1 : 1);
  if (cents === 0) return '–';
  return cents < 0 ? `−${formatMoney(-cents)}` : formatMoney(cents);
}

/** @returns a net total as text, including '$0.00' */
export const netOf = (dollars: number): string => (dollars === 0 ? formatMoney(0) : moneyOf(dollars));

/** @returns the search of the orders' list that shows the orders counted in a row */
export function ordersOf({ by, from, to }: Report, { key }: ReportRow): Record<string, string> {
  if (by !== 'month') return { days: `${from}_${to}`, by: 'money', [by]: key };
  const [year = 0, month = 0] = key.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const first = `${key}-01`;
  return { days: `${from > first ? from : first}_${to < last ? to : last}`, by: 'money' };
}
