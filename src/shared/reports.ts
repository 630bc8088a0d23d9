/** Periods and messages of reports. Rule: docs/rules/selling.md, Reports */
import type { Schema } from './contract';
import { daysOf, periodLabels, periods } from './dashboard';

export type ReportBy = Schema<'ReportBy'>;

export const reportLabels: Record<ReportBy, string> = {
  product: 'Product',
  category: 'Category',
  month: 'Month',
  state: 'State',
};

export const reportMessages = {
  getReport: { success: 'Report', failure: "Couldn't load the report" },
  exportReport: { failure: "Couldn't export the report. Try again." },
  nothing: 'No paid orders in this period.',
  delivery: 'Delivery',
  noLine: { product: 'Custom-amount refunds', category: 'Custom-amount refunds' },
  deletedCategory: 'Deleted category',
  ofDelivery: "Delivery isn't tied to a product, so it's listed at the end.",
  soFar: 'so far',
} as const;

export const reportPeriodLabels = {
  ...periodLabels,
  year: 'This year',
  '12months': 'Last 12 months',
  custom: 'Custom',
} as const;
export type ReportPeriod = keyof typeof reportPeriodLabels;
/** In display order. */
export const reportPeriods: readonly ReportPeriod[] = [
  ...periods.filter((period) => period !== 'custom'),
  '12months',
  'custom',
];

type RequestedPeriod = { period?: ReportPeriod | undefined; from?: string | undefined; to?: string | undefined };

/**
 * @param today as 2026-03-02, in the shop's time zone
 * @returns the first and last day, or a message that says what is wrong
 */
export function reportDaysOf(
  { period, from, to }: Omit<RequestedPeriod, 'period'> & { period: ReportPeriod },
  today: string,
): { from: string; to: string } | string {
  if (period === '12months') return { from: `${firstOf12(today)}-01`, to: today };
  return daysOf({ period, ...(from && { from }), ...(to && { to }) }, today);
}

/** @returns the period, or if none was given: 'custom' if days were given, else `otherwise` */
export const meantPeriod = <Otherwise>(
  { period, from, to }: RequestedPeriod,
  otherwise: Otherwise,
): ReportPeriod | Otherwise => period ?? (from || to ? 'custom' : otherwise);

function firstOf12(today: string): string {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 12)).toISOString().slice(0, 7);
}
