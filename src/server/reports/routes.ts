import type { QueryOf, Schema } from '../../shared/contract';
import { meantPeriod, reportLabels, reportSays as says, type ReportBy } from '../../shared/reports';
import type { Db } from '../db/transact';
import type { ContractApi } from '../http/contract';
import { sendCsv, signedMoney, type Column } from '../http/csv';
import type { KeptSettings } from '../settings/service';
import { readReport } from './service';

export function reportRoutes(api: ContractApi, { settings }: { settings: KeptSettings }): void {
  const read = async (db: Db, by: ReportBy, query: QueryOf<'getReport'>, now: Date) => {
    const { timeZone } = await settings.get();
    return readReport(db, by, { ...query, period: meantPeriod(query, '12months') }, { timeZone, now });
  };

  api.on('getReport', async ({ db, params, query, now }) => ({
    message: says.getReport.success,
    data: { report: await read(db, params.by, query, now) },
  }));
  api.serve('exportReport', async ({ db, params, query, now, reply }) => {
    const { by, rows } = await read(db, params.by, query, now);
    const lines = rows.map((row) => ({ ...row, id: row.key }));
    const ids = lines.map(({ id }) => id);
    return sendCsv(reply, { name: `report-by-${by}`, now, columns: columnsOf(by), ids, read: async () => lines });
  });
}

type Line = Schema<'ReportRow'> & { id: string };

const columnsOf = (by: ReportBy): Column<Line>[] => [
  { header: reportLabels[by], cell: ({ name }) => name },
  { header: by === 'product' || by === 'category' ? 'Units' : 'Orders', cell: ({ units }) => units },
  { header: 'Goods', cell: ({ goods }) => goods.toFixed(2) },
  { header: 'Discounts', cell: ({ discounts }) => discounts.toFixed(2) },
  { header: 'Delivery', cell: ({ delivery }) => delivery.toFixed(2) },
  { header: 'Tax', cell: ({ tax }) => tax.toFixed(2) },
  { header: 'Refunds', cell: ({ refunds }) => refunds.toFixed(2) },
  { header: 'Net', cell: ({ net }) => signedMoney(net) },
];
