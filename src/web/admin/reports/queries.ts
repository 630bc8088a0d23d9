import type { Schema } from '../../../shared/contract';
import { pageSize } from '../../../shared/paging';
import {
  type ReportBy,
  reportLabels,
  type ReportPeriod,
  reportPeriodLabels,
  type SummaryBy,
  summaryLabels,
} from '../../../shared/reports';
import { answer, api } from '../../server/client';
import type { ChosenPeriod } from '../period/PeriodChip';
import { readCsv, staffListQuery } from '../staffCalls';

export type Report = Schema<'Report'>;
export type ReportRow = Schema<'ReportRow'>;
export type ReportRequest = ChosenPeriod<ReportPeriod> & { by: ReportBy };

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
const isKey = <Key extends string>(labels: Readonly<Record<Key, string>>, value: unknown): value is Key =>
  typeof value === 'string' && Object.hasOwn(labels, value);

/** Defaults to products over the last 12 months. */
export function parseReport({ report, ...search }: Record<string, unknown>): ReportRequest {
  const by = isKey(reportLabels, report) ? report : 'product';
  return { by, ...parseReportPeriod(search, '12months') };
}

export function parseReportPeriod(
  { period, from, to }: Record<string, unknown>,
  otherwise: ReportPeriod,
): ChosenPeriod<ReportPeriod> {
  const known = isKey(reportPeriodLabels, period) ? period : otherwise;
  if (known !== 'custom') return { period: known };
  return isDay(from) && isDay(to) ? { period: known, from, to } : { period: otherwise };
}

/** @param page from 1; months come all at once, for their chart */
export const reportQuery = ({ by, ...request }: ReportRequest, page: number) => {
  const query = { ...request, ...(by !== 'month' && { page: page - 1, size: pageSize }) };
  return staffListQuery(
    ['report', by, query],
    async (signal) =>
      (await answer(api.GET('/admin/reports/{by}', { params: { path: { by }, query }, signal }))).report,
  );
};

export const exportReport = ({ by, ...query }: ReportRequest): Promise<string> =>
  readCsv(api.GET('/admin/reports/{by}/export', { params: { path: { by }, query }, parseAs: 'text' }));

export type Summary = Schema<'SalesSummary'>;
export type SummaryRow = Schema<'SalesRow'>;
/** `show`: which of the rows' figures. The page of the rows is not part of it. */
export type SummaryRequest = ChosenPeriod<ReportPeriod> & { by: SummaryBy; show: SummaryView };
export type SummaryView = keyof typeof summaryViews;
export const summaryViews = { sales: 'Sales', profit: 'Gross profit' } as const;

/** Defaults to the sales of products this month. */
export const parseSummary = ({ by, show, ...search }: Record<string, unknown>): SummaryRequest => ({
  by: isKey(summaryLabels, by) ? by : 'product',
  show: isKey(summaryViews, show) ? show : 'sales',
  ...parseReportPeriod(search, 'month'),
});

/** @param page of the rows, from 1 */
export const summaryQuery = ({ show: _show, ...request }: SummaryRequest, page: number) => {
  const query = { ...request, page: page - 1, size: pageSize };
  return staffListQuery(
    ['summary', query],
    async (signal) => (await answer(api.GET('/admin/reports/summary', { params: { query }, signal }))).summary,
  );
};

/** @param by for the rows; undefined: the summary itself */
export const exportSummary = (
  { by: _by, show: _show, ...query }: SummaryRequest,
  by: SummaryBy | undefined,
): Promise<string> =>
  readCsv(
    api.GET('/admin/reports/summary/export', { params: { query: { ...query, ...(by && { by }) } }, parseAs: 'text' }),
  );
