/** The periods of the dashboard, and the buckets of its charts. Rule: docs/rules/back-office.md, Dashboard */
import type { Schema } from './contract';

export const dashboardMessages = {
  getDashboard: { success: 'Dashboard', failure: "Couldn't load the dashboard" },
  noMessages: 'No messages yet',
  noCosts: 'Unknown. No product has a unit cost yet.',
  noProfit: 'Unknown. No unit sold in this period has a cost.',
  wrongOrder: "The start date can't be after the end date",
  daysMissing: 'Choose a start and an end date',
  tooLong: 'Choose 10 years or fewer',
} as const;

export const periods = ['today', '7days', '30days', '90days', 'year', 'custom'] as const;
export const periodLabels = {
  today: 'Today',
  '7days': 'Last 7 days',
  '30days': 'Last 30 days',
  '90days': 'Last 90 days',
  year: 'This year',
  custom: 'Custom',
} as const;
export type DashboardPeriod = (typeof periods)[number];
export type Bucket = Schema<'Dashboard'>['bucket'];

const dayMs = 86_400_000;
const maxDays = 3_653;

/**
 * @param today as 2026-03-02, in the shop's time zone
 * @returns the first and last day of a period, or a message that says what is wrong
 */
export function daysOf(
  { period = '30days', from, to }: { period?: DashboardPeriod; from?: string; to?: string },
  today: string,
): { from: string; to: string } | string {
  if (period === 'today') return { from: today, to: today };
  if (period === 'year') return { from: `${today.slice(0, 4)}-01-01`, to: today };
  if (period !== 'custom') return { from: addDays(today, 1 - Number.parseInt(period, 10)), to: today };
  if (!from || !to) return dashboardMessages.daysMissing;
  return countDays(from, to) > maxDays ? dashboardMessages.tooLong : { from, to };
}

/** @returns the bucket length of a chart: few enough points to read, but enough for a line */
export function bucketOf(from: string, to: string): Bucket {
  const days = countDays(from, to);
  if (days <= 2) return 'hour';
  if (days <= 31) return 'day';
  return days <= 120 ? 'week' : 'month';
}

/** @returns the number of days, both ends included */
export const countDays = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
