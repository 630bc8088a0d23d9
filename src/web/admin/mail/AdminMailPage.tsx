import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { mailKindLabels, mailSays, mailStateLabels } from '../../../shared/mail';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { AdminHead } from '../shell/AdminHead';
import { DataTable } from '../table/DataTable';
import { columnsOf } from '../table/features';
import { RowMenu } from '../table/RowMenu';
import { useTableSearch } from '../table/tableSearch';
import { shortTimeOf } from '../when';
import styles from './mail.module.css';
import { type Mail, mailFilters, mailsQuery, type MailState, useResendMail } from './queries';

const MailDialog = lazy(async () => ({ default: (await import('./MailDialog')).MailDialog }));

const { accessor, columns, display } = columnsOf<Mail>();
const noSorts: readonly string[] = [];
const tones: Record<MailState, BadgeTone> = { waiting: 'warn', sent: 'success', failed: 'error', cancelled: 'neutral' };

/** What the shop sent or is about to send: for the owner. Source: decisions §7, §8 */
export function AdminMailPage() {
  const search = useTableSearch(mailFilters, noSorts);
  const list = useQuery(mailsQuery(search[0]));
  const [opened, open] = useState<Mail>();
  const shown = useMemo(() => mailColumns(open), []);
  return (
    <>
      <AdminHead title="Mail" />
      <DataTable
        label="Mail"
        columns={shown}
        list={list}
        search={search}
        rowId={({ id }) => id}
        rowName={nameOf}
        empty={mailSays.noMails}
        failure={mailSays.listMails.failure}
        filters={[
          {
            name: 'state',
            label: 'Status',
            options: Object.entries(mailStateLabels).map(([value, label]) => ({ value, label })),
          },
        ]}
      />
      {opened && (
        <Suspense>
          <MailDialog mail={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  );
}

const nameOf = ({ kind, recipient }: Mail) => `${mailKindLabels[kind]} to ${recipient}`;

const mailColumns = (onOpen: (mail: Mail) => void) =>
  columns([
    accessor('kind', {
      header: 'Mail',
      enableSorting: false,
      cell: ({ row: { original } }) => (
        <button type="button" className={styles['kind']} onClick={() => onOpen(original)}>
          {mailKindLabels[original.kind]}
        </button>
      ),
      meta: { onPhone: 'title' },
    }),
    accessor('recipient', { header: 'Recipient', enableSorting: false, meta: { isMuted: true } }),
    accessor('orderNumber', {
      header: 'Order',
      enableSorting: false,
      cell: ({ row: { original } }) => <OrderLink {...original} />,
    }),
    accessor('createdAt', {
      header: 'Date',
      enableSorting: false,
      cell: ({ getValue }) => shortTimeOf(getValue()),
      meta: { isMuted: true },
    }),
    accessor('state', {
      header: 'Status',
      enableSorting: false,
      cell: ({ row: { original } }) => <State {...original} />,
    }),
    display({
      id: 'menu',
      header: () => <span className="sr-only">Menu</span>,
      cell: ({ row: { original } }) => <MailMenu mail={original} onOpen={onOpen} />,
    }),
  ]);

function OrderLink({ orderId, orderNumber }: Mail) {
  if (!orderId) return null;
  return (
    <Link to="/admin/orders/$orderId" params={{ orderId }} className={`link ${styles['order']}`}>
      #{orderNumber}
    </Link>
  );
}

function State({ state, lastError, attempts }: Mail) {
  return (
    <>
      <Badge tone={tones[state]} hollow={state === 'cancelled'}>
        {mailStateLabels[state]}
      </Badge>
      {lastError && state !== 'sent' && (
        <small className={styles['error']}>{`${lastError} (${attempts} ${attempts === 1 ? 'try' : 'tries'})`}</small>
      )}
    </>
  );
}

function MailMenu({ mail, onOpen }: { mail: Mail; onOpen: (mail: Mail) => void }) {
  const { mutate: resend } = useResendMail();
  return (
    <RowMenu
      of={nameOf(mail)}
      entries={[
        { label: 'View Mail', icon: 'eye', onSelect: () => onOpen(mail) },
        {
          label: 'Send again',
          icon: 'outbox',
          isOff: mail.state === 'cancelled' || mail.state === 'waiting',
          onSelect: () => resend(mail.id),
        },
      ]}
    />
  );
}
