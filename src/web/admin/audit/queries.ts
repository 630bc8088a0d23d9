import { auditList } from '../../../shared/auditList';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { readCsv, staffListQuery } from '../staffCalls';
import { pageQuery, exportQuery, type TableSearch } from '../table/tableSearch';

export type Entry = Schema<'AuditEntry'>;

type Search = TableSearch<typeof auditList>;

/** An id filter is only valid with a kind. */
function withKind({ filters: { targetId, ...filters }, ...search }: Search): Search {
  return { ...search, filters: filters.kind && targetId ? { ...filters, targetId } : filters };
}

export const auditQuery = (search: Search) =>
  staffListQuery(['audit', search], (signal) =>
    answer(api.GET('/admin/audit', { params: { query: pageQuery(auditList, withKind(search)) }, signal })),
  );

export const exportAudit = (search: Search): Promise<string> =>
  readCsv(
    api.GET('/admin/audit/export', { params: { query: exportQuery(auditList, withKind(search)) }, parseAs: 'text' }),
  );
