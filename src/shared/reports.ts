/** Periods and messages of reports. Rule: docs/rules/selling.md, Reports */
import type { Schema } from './contract';
import { addDays, countDays, dashboardMessages, daysOf, periodLabels } from './dashboard';

export type ReportBy = Schema<'ReportBy'>;
export type SummaryBy = Schema<'SummaryBy'>;

export const reportLabels: Record<ReportBy, string> = {
  product: 'Product',
  category: 'Category',
  month: 'Month',
  state: 'State',
};

/** In display order. */
export const summaryLabels: Record<SummaryBy, string> = {
  product: 'Product',
  category: 'Category',
  state: 'State',
  code: 'Code',
  month: 'Month',
  day: 'Day',
};

/** The figures of the sales summary, in display order. */
export const figureLabels = {
  grossSales: 'Gross sales',
  discounts: 'Discounts',
  returns: 'Returns',
  netSales: 'Net sales',
  delivery: 'Delivery',
  tax: 'Sales tax',
  total: 'Total',
  costOfGoods: 'Cost of sales',
  grossProfit: 'Gross profit',
} as const satisfies Partial<Record<keyof Schema<'SalesSummary'>, string>>;
export type SalesFigure = keyof typeof figureLabels;
/** Shown with a minus sign. */
export const takenFigures: readonly SalesFigure[] = ['discounts', 'returns', 'costOfGoods'];

export const reportMessages = {
  getReport: { success: 'Report', failure: "Couldn't load the report" },
  getSalesSummary: { success: 'Sales summary', failure: "Couldn't load the sales summary" },
  noCosts: dashboardMessages.noProfit,
  costs: "Costs are those at the time of sale. Restocked units aren't counted.",
  withoutCost: (units: string) => `${units} without a cost, so gross profit isn't exact.`,
  exportReport: { failure: "Couldn't export the report. Try again." },
  nothing: 'No paid orders in this period.',
  delivery: 'Delivery',
  noLine: { product: 'Custom-amount refunds', category: 'Custom-amount refunds', code: 'No code' },
  deletedCategory: 'Deleted category',
  ofDelivery: "Delivery isn't tied to a product, so it's listed at the end.",
  soFar: 'so far',
} as const;

export const reportPeriodLabels = {
  ...periodLabels,
  month: 'This month',
  lastMonth: 'Last month',
  year: 'This year',
  '12months': 'Last 12 months',
  custom: 'Custom',
} as const;
export type ReportPeriod = keyof typeof reportPeriodLabels;
/** In display order. */
export const reportPeriods: readonly ReportPeriod[] = [
  'today',
  '7days',
  '30days',
  '90days',
  'month',
  'lastMonth',
  'year',
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
  const month = `${today.slice(0, 7)}-01`;
  if (period === 'month') return { from: month, to: today };
  if (period === 'lastMonth') return { from: `${addDays(month, -1).slice(0, 7)}-01`, to: addDays(month, -1) };
  if (period === '12months') return { from: addMonths(today, -11), to: today };
  return daysOf({ period, ...(from && { from }), ...(to && { to }) }, today);
}

/**
 * @returns the period that ends the day before: of whole calendar months as many months, otherwise as many days. Not
 * before the calls' first day.
 */
export function periodBefore({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const isWholeMonths = from.endsWith('-01') && addDays(to, 1).endsWith('-01');
  const first = isWholeMonths ? addMonths(from, -countMonths(from, to)) : addDays(from, -countDays(from, to));
  return { from: first > firstDay ? first : firstDay, to: from > firstDay ? addDays(from, -1) : firstDay };
}

/** As the contract's Day has it. */
const firstDay = '2000-01-01';

/** @returns the period, or if none was given: 'custom' if days were given, else `otherwise` */
export const meantPeriod = <Otherwise>(
  { period, from, to }: RequestedPeriod,
  otherwise: Otherwise,
): ReportPeriod | Otherwise => period ?? (from || to ? 'custom' : otherwise);

/** @returns the number of months, both ends included */
function countMonths(from: string, to: string): number {
  const [first, last] = [new Date(from), new Date(to)];
  return 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() - first.getUTCMonth() + 1;
}

/** @returns the first day of the month that many months later */
function addMonths(day: string, months: number): string {
  const date = new Date(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString().slice(0, 10);
}
