import { sendExport } from '../audit/exports';
import type { QueryOf, Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import {
  figureLabels,
  meantPeriod,
  reportLabels,
  reportMessages as messages,
  type ReportBy,
  type SalesFigure,
  summaryLabels,
  type SummaryBy,
  takenFigures,
} from '../../shared/reports';
import type { Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import type { PageRequest } from '../http/contract/paging';
import type { Column } from '../http/csv/csvDownload';
import type { SettingsCache } from '../settings/service';
import { readReport } from './service';
import { readSummary } from './summary';

export function reportRoutes(api: ContractApi, { settings }: { settings: SettingsCache }): void {
  const read = async (db: Db, by: ReportBy, query: QueryOf<'exportReport'>, now: Date, page?: PageRequest) => {
    const { timeZone, units } = await settings.get();
    return readReport(db, by, { ...query, period: meantPeriod(query, '12months') }, { timeZone, units, now }, page);
  };

  api.on('getReport', async ({ db, params, query: { page = 0, size, ...query }, now }) => ({
    message: messages.getReport.success,
    data: { report: await read(db, params.by, query, now, size ? { page, size } : undefined) },
  }));
  const sumUp = async (db: Db, query: QueryOf<'exportSalesSummary'>, now: Date, page?: PageRequest) => {
    const { timeZone, units } = await settings.get();
    return readSummary(db, { ...query, period: meantPeriod(query, 'month') }, { timeZone, units, now }, page);
  };

  api.on('getSalesSummary', async ({ db, query: { page = 0, size = 10, ...query }, now }) => ({
    message: messages.getSalesSummary.success,
    data: { summary: await sumUp(db, query, now, { page, size }) },
  }));
  api.serve('exportSalesSummary', async ({ query, ...call }) => {
    const summary = await sumUp(call.db, query, call.now);
    const { by, rows, timeZone } = summary;
    const file = { name: by ? `sales-by-${by}` : 'sales-summary', loggedAs: 'report' } as const;
    if (by && rows) {
      const lines = rows.map((row) => ({ ...row, id: row.key }));
      const ids = lines.map(({ id }) => id);
      return sendExport(call, file, { timeZone, columns: summaryColumns(by), ids, read: async () => lines });
    }
    const lines = figures.map((id) => ({ id, now: summary[id], before: summary.previous[id] }));
    return sendExport(call, file, {
      timeZone,
      columns: comparedColumns(summary),
      ids: figures,
      read: async () => lines,
    });
  });
  api.serve('exportReport', async ({ params, query, ...call }) => {
    const { by, rows, timeZone } = await read(call.db, params.by, query, call.now);
    const lines = rows.map((row) => ({ ...row, id: row.key }));
    const ids = lines.map(({ id }) => id);
    const file = { name: `report-by-${by}`, loggedAs: 'report' } as const;
    return sendExport(call, file, { timeZone, columns: columnsOf(by), ids, read: async () => lines });
  });
}

type Line = Schema<'ReportRow'> & { id: string };

const columnsOf = (by: ReportBy): Column<Line>[] => [
  { header: reportLabels[by], cell: ({ name }) => name },
  { header: by === 'product' || by === 'category' ? 'Units' : 'Orders', cell: ({ units }) => units },
  { header: 'Gross sales', cell: ({ goods }) => ({ cents: toCents(goods) }) },
  { header: 'Discounts', cell: ({ discounts }) => ({ cents: -toCents(discounts) }) },
  { header: 'Delivery', cell: ({ delivery }) => ({ cents: toCents(delivery) }) },
  { header: 'Tax', cell: ({ tax }) => ({ cents: toCents(tax) }) },
  { header: 'Refunds', cell: ({ refunds }) => ({ cents: -toCents(refunds) }) },
  { header: 'Net total', cell: ({ net }) => ({ cents: toCents(net) }) },
];

const figures = Object.keys(figureLabels) as SalesFigure[];
/** Empty while no unit has a cost. */
const cellOf = (figure: SalesFigure, dollars: number | null) =>
  dollars === null ? null : { cents: takenFigures.includes(figure) ? -toCents(dollars) : toCents(dollars) };

type SummaryLine = Schema<'SalesRow'> & { id: string };
const summaryColumns = (by: SummaryBy): Column<SummaryLine>[] => [
  { header: summaryLabels[by], cell: ({ name }) => name },
  { header: 'Units', cell: ({ units }) => units },
  ...figures.map((figure) => ({
    header: figureLabels[figure],
    cell: (row: SummaryLine) => cellOf(figure, row[figure]),
  })),
];

type ComparedLine = { id: SalesFigure; now: number | null; before: number | null };
const comparedColumns = ({ from, to, previous }: Schema<'SalesSummary'>): Column<ComparedLine>[] => [
  { header: 'Figure', cell: ({ id }) => figureLabels[id] },
  { header: `${from} to ${to}`, cell: ({ id, now }) => cellOf(id, now) },
  { header: `${previous.from} to ${previous.to}`, cell: ({ id, before }) => cellOf(id, before) },
];
