import { auditMessages as messages } from '../../shared/audit';
import { auditList } from '../../shared/auditList';
import type { QueryOf, Schema } from '../../shared/contract';
import { withLongTimeout, type Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import { findPeriod } from '../http/core/shopDays';
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
import { sendExport } from './exports';
import { describeInWords } from './names';

type Parts = { settings: { get: () => Promise<{ timeZone: string }> } };

export function auditRoutes(api: ContractApi, { settings }: Parts): void {
  const filterOf = async (db: Db, query: QueryOf<'exportAudit'>): Promise<AuditFilter> => {
    const { timeZone } = await settings.get();
    return { ...query, period: await findPeriod(db, query, timeZone) };
  };

  const inWords = async (db: Db, rows: AuditRow[]) => describeInWords(db, rows, (await settings.get()).timeZone);

  api.on('listAudit', async ({ db, query }) => {
    const { page = 0, size = 10 } = query;
    const { content, totalElements } = await listEntries(db, await filterOf(db, query), { page, size });
    const rows = await inWords(db, content);
    const entries = presentPage(rows.map(presentEntry), totalElements, { page, size });
    return { message: messages.listAudit.success, data: { entries, filters: await findFilters(db) } };
  });
  api.serve('exportAudit', async ({ query, ...call }) => {
    const filter = await filterOf(call.db, query);
    const ids = await withLongTimeout(call.db, (tx) => listEntryIds(tx, filter));
    const read = async (some: number[]) => inWords(call.db, await findEntries(call.db, some));
    const { timeZone } = await settings.get();
    return sendExport(call, auditList.file, { timeZone, columns: auditColumns, ids, read });
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
