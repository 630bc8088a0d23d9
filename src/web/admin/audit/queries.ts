import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { validate as isUuid } from 'uuid';
import type { QueryOf, Schema } from '../../../shared/contract';
import { answer, api } from '../../api/client';
import { isDays, parseDays } from '../settings/queries';
import { readCsv, staffKey } from '../staffCalls';
import { type FilterRules, matching, type TableSearch } from '../table/tableSearch';

export type Entry = Schema<'AuditEntry'>;

/** The filters of the log, by their keys in the address. */
export const auditFilters: FilterRules = {
  actor: isUuid,
  action: matching(/^.{1,80}$/),
  kind: matching(/^.{1,40}$/),
  targetId: matching(/^.{1,100}$/),
  days: isDays,
};

type Filter = Pick<QueryOf<'exportAudit'>, 'actor' | 'action' | 'kind' | 'targetId'>;
const filtersOf = ({ filters: { days, ...filters } }: Pick<TableSearch, 'filters'>): QueryOf<'exportAudit'> => {
  const { actor, action, kind, targetId } = filters as Filter;
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(kind && { kind }),
    ...(kind && targetId && { targetId }), // an id alone says nothing
    ...parseDays(days),
  };
};

export const auditQuery = ({ page, size, filters }: TableSearch) =>
  queryOptions({
    queryKey: staffKey('audit', { page, size, filters }),
    queryFn: ({ signal }) => {
      const query = { page: page - 1, size, ...filtersOf({ filters }) };
      return answer(api.GET('/admin/audit', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

export const exportAudit = (search: TableSearch): Promise<string> =>
  readCsv(api.GET('/admin/audit/export', { params: { query: filtersOf(search) }, parseAs: 'text' }));
