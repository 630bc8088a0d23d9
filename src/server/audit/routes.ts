import { auditSays as says } from '../../shared/audit';
import type { QueryOf, Schema } from '../../shared/contract';
import { unhurried, type Db } from '../db/transact';
import type { ContractApi } from '../http/contract';
import { sendCsv } from '../http/csv';
import { presentPage } from '../http/paging';
import { findPeriod } from '../http/days';
import {
  auditColumns,
  findEntries,
  findFilters,
  listEntries,
  listEntryIds,
  type AuditFilter,
  type AuditRow,
  type EntryInWords,
} from './log';
import { tellInWords } from './names';
import { noteExport } from './service';

type Parts = { settings: { get: () => Promise<{ timeZone: string }> } };

export function auditRoutes(api: ContractApi, { settings }: Parts): void {
  const filterOf = async (db: Db, query: QueryOf<'exportAudit'>): Promise<AuditFilter> => {
    const { timeZone } = await settings.get();
    return { ...query, period: await findPeriod(db, query, timeZone) };
  };

  const inWords = async (db: Db, rows: AuditRow[]) => tellInWords(db, rows, (await settings.get()).timeZone);

  api.on('listAudit', async ({ db, query }) => {
    const { page = 0, size = 10 } = query;
    const { content, totalElements } = await listEntries(db, await filterOf(db, query), { page, size });
    const rows = await inWords(db, content);
    const entries = presentPage(rows.map(presentEntry), totalElements, { page, size });
    return { message: says.listAudit.success, data: { entries, filters: await findFilters(db) } };
  });
  api.serve('exportAudit', async ({ db, query, by, now, reply }) => {
    const filter = await filterOf(db, query);
    const ids = await unhurried(db, (tx) => listEntryIds(tx, filter));
    const read = async (some: number[]) => inWords(db, await findEntries(db, some));
    const { timeZone } = await settings.get();
    await noteExport(db, { by, now }, 'audit_log');
    return sendCsv(reply, { name: 'audit', now, timeZone, columns: auditColumns, ids, read });
  });
}

const presentEntry = ({ id, at, actorId, actorName, before, after, ...entry }: EntryInWords): Schema<'AuditEntry'> => ({
  ...entry,
  id: String(id),
  at: at.toISOString(),
  actor: actorId === null ? null : { userId: actorId, fullName: actorName ?? '' },
  before: before as Schema<'AuditEntry'>['before'],
  after: after as Schema<'AuditEntry'>['after'],
});
