import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { auditList } from '../../../shared/auditList';
import { actionLabel, type AuditedKind, auditMessages, kindLabel } from '../../../shared/audit';
import type { DataOf } from '../../../shared/contract';
import { useDays } from '../settings/queries';
import { DataTable } from '../table/DataTable';
import { chipsOf, useTableSearch } from '../table/tableSearch';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import { timeOf } from '../ui/dates';
import styles from './audit.module.css';
import { auditQuery, type Entry, exportAudit } from './queries';

/** The log of who changed what, and when. Rule: docs/rules/back-office.md, Audit log */
export function AdminAuditPage() {
  const search = useTableSearch(auditList);
  const [view] = search;
  const { data, ...answer } = useQuery(auditQuery(view));
  const days = useDays(view.filters.days);
  return (
    <>
      <AdminHead title="Audit log" />
      <DataTable
        columns={auditColumns}
        list={{ ...answer, data: data?.entries }}
        search={search}
        rowName={({ action }) => actionLabel(action)}
        empty={auditMessages.noEntries}
        failure={auditMessages.listAudit.failure}
        filters={chipsOf(auditList, { ...optionsOf(data?.filters, view.filters.targetId), days })}
        readFile={() => exportAudit(view)}
      />
    </>
  );
}

function optionsOf(known: DataOf<'listAudit'>['filters'] | undefined, targetId: string | undefined) {
  const { actions = [], actors = [] } = known ?? {};
  const kinds = [...new Set(actions.map((action) => action.split('.')[0] ?? ''))];
  return {
    actor: actors.map(({ userId, fullName }) => ({ value: userId, label: fullName })),
    action: actions.map((action) => ({ value: action, label: actionLabel(action) })),
    kind: kinds.map((kind) => ({ value: kind, label: kindLabel(kind) })),
    targetId: targetId === undefined ? undefined : [{ value: targetId, label: 'this item only' }],
  };
}

const auditColumns = columnsOf<typeof auditList, Entry>(auditList, {
  action: { render: ({ action }) => <b className={styles['action']}>{actionLabel(action)}</b>, onPhone: 'title' },
  at: { render: ({ at }) => <span className={styles['when']}>{timeOf(at)}</span>, isMuted: true },
  actor: {
    render: ({ actor }) => <span className={styles['words']}>{actor?.fullName ?? auditMessages.byTheShop}</span>,
  },
  thing: { render: (entry) => <Target {...entry} /> },
  changes: { render: (entry) => <Changes {...entry} /> },
});

/** The page of each kind of target, if it has one. */
const pages: Readonly<Record<string, string | null>> = {
  order: '/admin/orders/',
  page: '/admin/pages/',
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
  import: '/admin/products/import?import=',
  backup: null,
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
