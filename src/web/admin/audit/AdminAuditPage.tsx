import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actionLabel, type AuditedKind, auditSays, kindLabel } from '../../../shared/audit';
import type { DataOf } from '../../../shared/contract';
import { useDays } from '../settings/queries';
import { DataTable } from '../table/DataTable';
import { ExportButton } from '../table/ExportButton';
import { type Filter, useTableSearch } from '../table/tableSearch';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import { timeOf } from '../ui/when';
import styles from './audit.module.css';
import { auditQuery, auditRules, type Entry, exportAudit } from './queries';

const { accessor, columns } = columnsOf<Entry>();

/** Who did what to which thing. Rule: docs/rules/back-office.md, Audit log */
export function AdminAuditPage() {
  const search = useTableSearch(auditRules);
  const [asked] = search;
  const { data, ...answer } = useQuery(auditQuery(asked));
  const days = useDays(asked.filters.days);
  return (
    <>
      <AdminHead title="Audit Log" />
      <DataTable
        label="Audit log"
        columns={auditColumns}
        list={{ ...answer, data: data?.entries }}
        search={search}
        rowName={({ action }) => actionLabel(action)}
        empty={auditSays.noEntries}
        failure={auditSays.listAudit.failure}
        filters={filtersFor(data?.filters, days, asked.filters.targetId)}
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
    { name: 'kind', label: 'Thing', options: kinds.map((kind) => ({ value: kind, label: kindLabel(kind) })) },
    { name: 'days', label: 'Days', options: days },
    ...(targetId ? [{ name: 'targetId', label: 'Only', options: [{ value: targetId, label: 'this one' }] }] : []),
  ];
}

const auditColumns = columns([
  accessor('action', {
    header: 'Action',
    cell: ({ getValue }) => <b className={styles['action']}>{actionLabel(getValue())}</b>,
    meta: { onPhone: 'title' },
  }),
  accessor('at', {
    header: 'When',
    cell: ({ getValue }) => <span className={styles['when']}>{timeOf(getValue())}</span>,
    meta: { isMuted: true },
  }),
  accessor('actor', {
    header: 'Person',
    cell: ({ getValue }) => <span className={styles['words']}>{getValue()?.fullName ?? auditSays.byTheShop}</span>,
  }),
  accessor('targetKind', {
    header: 'Thing',
    cell: ({ row: { original } }) => <Target {...original} />,
  }),
  accessor('changes', {
    header: 'Change',
    cell: ({ getValue }) => <Changes changes={getValue()} />,
  }),
]);

/** Where each kind of thing is shown, if it has a page. */
const pages: Readonly<Record<string, string | null>> = {
  order: '/admin/orders/',
  user: '/admin/view/user/',
  product: '/view/product/',
  category: '/view/product/category/',
  message: '/admin/messages?message=',
  discount: '/admin/discounts/',
  session: null,
  mail: null,
  setting: null,
  alarm: null,
  delivery_method: '/admin/delivery?method=',
  tax_rate: '/admin/tax?q=',
  export: null,
} satisfies Record<AuditedKind, string | null>;

function Target({ targetKind, targetId, thing }: Entry) {
  const page = pages[targetKind];
  if (!page || !targetId) return <span className={styles['words']}>{thing}</span>;
  return (
    <Link to={`${page}${targetId}`} className={`link ${styles['words']} ${styles['target']}`}>
      {thing}
    </Link>
  );
}

function Changes({ changes }: Pick<Entry, 'changes'>) {
  if (changes.length === 0) return null;
  return (
    <ul className={styles['changes']}>
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}
