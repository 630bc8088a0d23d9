import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actionLabel, type AuditedKind, auditSays } from '../../../shared/audit';
import { categoryTitle } from '../../../shared/catalog';
import type { DataOf } from '../../../shared/contract';
import { useCategoryChoices } from '../products/queries';
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
    { name: 'kind', label: 'Thing', options: kinds.map((kind) => ({ value: kind, label: kind.replaceAll('_', ' ') })) },
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
    cell: ({ getValue }) => getValue()?.fullName ?? auditSays.byTheShop,
  }),
  accessor('targetKind', {
    header: 'Thing',
    cell: ({ row: { original } }) => <Target {...original} />,
  }),
  accessor('after', {
    header: 'Change',
    cell: ({ row: { original } }) => <Changes before={original.before} after={original.after} />,
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
} satisfies Record<AuditedKind, string | null>;

function Target({ targetKind, targetId }: Entry) {
  const page = pages[targetKind];
  if (!page || !targetId) return targetKind;
  return (
    <Link to={`${page}${targetId}`} className={`link first-cap ${styles['target']}`}>
      {targetKind.replaceAll('_', ' ')}
    </Link>
  );
}

type Facts = Record<string, unknown> | null;

/** What changed from what to what, field by field. */
function Changes({ before, after }: { before: Facts; after: Facts }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return null;
  return (
    <ul className={styles['changes']}>
      {names.map((name) => (
        <li key={name}>
          <span>{name}:</span>{' '}
          {before && name in before && (
            <>
              <Fact name={name} value={before[name]} />
              {' → '}
            </>
          )}
          {after && name in after ? <Fact name={name} value={after[name]} /> : 'none'}
        </li>
      ))}
    </ul>
  );
}

const Fact = ({ name, value }: { name: string; value: unknown }) =>
  name === 'categoryId' ? <Category id={value} /> : inWords(value);

/** One that was deleted since has only its id left. */
function Category({ id }: { id: unknown }) {
  const category = useCategoryChoices().find((each) => each.id === id);
  return category ? categoryTitle(category) : inWords(id);
}

const maxLength = 120;

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
