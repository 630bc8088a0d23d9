import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actionLabel, auditSays } from '../../../shared/audit';
import type { DataOf } from '../../../shared/contract';
import { AdminHead } from '../shell/AdminHead';
import { useDays } from '../settings/queries';
import { DataTable } from '../table/DataTable';
import { ExportButton } from '../table/ExportButton';
import { columnsOf } from '../table/features';
import type { Filter } from '../table/FilterChip';
import { useTableSearch } from '../table/tableSearch';
import { timeOf } from '../when';
import styles from './audit.module.css';
import { Changes } from './Changes';
import { auditFilters, auditQuery, type Entry, exportAudit } from './queries';

const { accessor, columns } = columnsOf<Entry>();
const noSorts: readonly string[] = [];

/** Who did what to which thing. Source: decisions §8 */
export function AdminAuditPage() {
  const search = useTableSearch(auditFilters, noSorts);
  const [asked] = search;
  const { data, ...answer } = useQuery(auditQuery(asked));
  const days = useDays(asked.filters['days']);
  return (
    <>
      <AdminHead title="Audit Log" />
      <DataTable
        label="Audit log"
        columns={auditColumns}
        list={{ ...answer, data: data?.entries }}
        search={search}
        rowId={({ id }) => id}
        rowName={({ action }) => actionLabel(action)}
        empty={auditSays.noEntries}
        failure={auditSays.listAudit.failure}
        filters={filtersFor(data?.filters, days, asked.filters['targetId'])}
        tools={<ExportButton fileName="audit.csv" read={() => exportAudit(asked)} />}
      />
    </>
  );
}

function filtersFor(
  known: DataOf<'listAudit'>['filters'] | undefined,
  days: Filter['options'],
  targetId: string | undefined,
): Filter[] {
  const { actions = [], actors = [] } = known ?? {};
  const kinds = [...new Set(actions.map((action) => action.split('.')[0] ?? ''))];
  return [
    {
      name: 'actor',
      label: 'Person',
      options: actors.map(({ userId, fullName }) => ({ value: userId, label: fullName })),
    },
    {
      name: 'action',
      label: 'Action',
      options: actions.map((action) => ({ value: action, label: actionLabel(action) })),
    },
    { name: 'kind', label: 'Thing', options: kinds.map((kind) => ({ value: kind, label: kind })) },
    { name: 'days', label: 'Days', options: days },
    ...(targetId ? [{ name: 'targetId', label: 'Only', options: [{ value: targetId, label: 'this one' }] }] : []),
  ];
}

const auditColumns = columns([
  accessor('action', {
    header: 'Action',
    enableSorting: false,
    cell: ({ getValue }) => <b className={styles['action']}>{actionLabel(getValue())}</b>,
    meta: { onPhone: 'title' },
  }),
  accessor('at', {
    header: 'When',
    enableSorting: false,
    cell: ({ getValue }) => <span className={styles['when']}>{timeOf(getValue())}</span>,
    meta: { isMuted: true },
  }),
  accessor('actor', {
    header: 'Person',
    enableSorting: false,
    cell: ({ getValue }) => getValue()?.fullName ?? auditSays.byTheShop,
  }),
  accessor('targetKind', {
    header: 'Thing',
    enableSorting: false,
    cell: ({ row: { original } }) => <Target {...original} />,
  }),
  accessor('after', {
    header: 'Change',
    enableSorting: false,
    cell: ({ row: { original } }) => <Changes before={original.before} after={original.after} />,
  }),
]);

const pages: Record<string, string> = {
  order: '/admin/orders/',
  user: '/admin/view/user/',
  product: '/view/product/',
  category: '/view/product/category/',
  message: '/admin/messages?message=',
};

function Target({ targetKind, targetId }: Entry) {
  const page = pages[targetKind];
  if (!page || !targetId) return targetKind;
  return (
    <Link to={`${page}${targetId}`} className={`link first-cap ${styles['target']}`}>
      {targetKind}
    </Link>
  );
}
