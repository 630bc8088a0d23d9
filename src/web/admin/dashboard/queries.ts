import type { Schema } from '../../../shared/contract';
import { type DashboardPeriod, periods } from '../../../shared/dashboard';
import { answer, api } from '../../server/client';
import { staffListQuery, staffQuery } from '../staffCalls';

export type Dashboard = Schema<'Dashboard'>;

/** The period of the figures, as in the page's URL. */
export interface ChosenPeriod {
  period: DashboardPeriod;
  from?: string;
  to?: string;
}

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

/** Defaults to the last 30 days. */
export function parsePeriod({ period, from, to }: Record<string, unknown>): ChosenPeriod {
  const known = periods.find((each) => each === period) ?? '30days';
  if (known !== 'custom') return { period: known };
  return isDay(from) && isDay(to) ? { period: known, from, to } : { period: '30days' };
}

export const dashboardQuery = (period: ChosenPeriod) =>
  staffListQuery(
    ['dashboard', period],
    async (signal) =>
      (await answer(api.GET('/admin/dashboard', { params: { query: { ...period } }, signal }))).dashboard,
  );

const recent = 4;

export const recentMessagesQuery = () =>
  staffQuery(
    ['messages', 'recent'],
    async (signal) =>
      (await answer(api.GET('/admin/messages', { params: { query: { size: recent } }, signal }))).messages.content,
  );
