import { formatMoney, toCents } from '../../../shared/money';
import type { Report, ReportRow } from './queries';

/** Rows of a product, category or state: not delivery, nor what refunds gave back of no line. */
export const isNamed = ({ key }: ReportRow): boolean => key !== 'delivery' && key !== 'none';

/** The month that is not over. */
export const isSoFar = ({ by, today }: Report, { key }: ReportRow): boolean =>
  by === 'month' && key === today.slice(0, 7);

/** @returns '$4.35', '−$4.35' with the sign of a minus, and a dash for nothing */
export function moneyOf(dollars: number, { isTaken = false } = {}): string {
  const cents = toCents(dollars) * (isTaken ? -1 : 1);
  if (cents === 0) return '–';
  return cents < 0 ? `−${formatMoney(-cents)}` : formatMoney(cents);
}

/** @returns the sum of a report in words, '$0.00' too */
export const netOf = (dollars: number): string => (dollars === 0 ? formatMoney(0) : moneyOf(dollars));

/** @returns what the orders' list is asked for, to have the orders that a row counts */
export function ordersOf({ by, from, to }: Report, { key }: ReportRow): Record<string, string> {
  if (by !== 'month') return { days: `${from}_${to}`, by: 'money', [by]: key };
  const [year = 0, month = 0] = key.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const first = `${key}-01`;
  return { days: `${from > first ? from : first}_${to < last ? to : last}`, by: 'money' };
}
