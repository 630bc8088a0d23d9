import { sendExport } from '../audit/exports';
import type { QueryOf, Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import { meantPeriod, reportLabels, reportMessages as messages, type ReportBy } from '../../shared/reports';
import type { Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import type { Column } from '../http/csv/csvDownload';
import type { SettingsCache } from '../settings/service';
import { readReport } from './service';

export function reportRoutes(api: ContractApi, { settings }: { settings: SettingsCache }): void {
  const read = async (db: Db, by: ReportBy, query: QueryOf<'getReport'>, now: Date) => {
    const { timeZone } = await settings.get();
    return readReport(db, by, { ...query, period: meantPeriod(query, '12months') }, { timeZone, now });
  };

  api.on('getReport', async ({ db, params, query, now }) => ({
    message: messages.getReport.success,
    data: { report: await read(db, params.by, query, now) },
  }));
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
