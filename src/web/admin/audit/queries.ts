import { validate as isUuid } from 'uuid';
import type { QueryOf, Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { isDays, parseDays } from '../settings/queries';
import { readCsv, staffListQuery } from '../staffCalls';
import { listRules, passing, type SearchOf } from '../table/tableSearch';

export type Entry = Schema<'AuditEntry'>;

const upTo = (maxLength: number) => passing((text) => text.length <= maxLength);

export const auditRules = listRules({
  filters: { actor: passing(isUuid), action: upTo(80), kind: upTo(40), targetId: upTo(100), days: passing(isDays) },
  sorts: [],
});
type Search = SearchOf<typeof auditRules>;

const filtersOf = ({ days, targetId, ...filters }: Search['filters']): QueryOf<'exportAudit'> => ({
  ...filters,
  ...(filters.kind && targetId && { targetId }), // an id needs its kind
  ...parseDays(days),
});

export const auditQuery = ({ page, size, filters }: Search) =>
  staffListQuery(['audit', { page, size, filters }], (signal) => {
    const query = { page: page - 1, size, ...filtersOf(filters) };
    return answer(api.GET('/admin/audit', { params: { query }, signal }));
  });

export const exportAudit = (search: Search): Promise<string> =>
  readCsv(api.GET('/admin/audit/export', { params: { query: filtersOf(search.filters) }, parseAs: 'text' }));
