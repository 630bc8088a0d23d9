import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { mailKindLabels, mailSays, mailStateLabels } from '../../../shared/mail';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { optionsOf, useTableSearch } from '../table/tableSearch';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import { shortTimeOf } from '../ui/when';
import styles from './mail.module.css';
import { type Mail, mailRules, mailsQuery, type MailState, useResendMail } from './queries';
import { lazyPart } from '../../ui/lazyPart';

const MailDialog = lazyPart(() => import('./MailDialog'), 'MailDialog');

const { accessor, columns, menu } = columnsOf<Mail>();
const tones: Record<MailState, BadgeTone> = {
  waiting: 'warn',
  sent: 'success',
  not_sent: 'warn',
  failed: 'error',
  cancelled: 'neutral',
};

/** What the shop sent or is about to send: for the owner. Rule: docs/rules/contact-and-mail.md, The mail page */
export function AdminMailPage() {
  const search = useTableSearch(mailRules);
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
        rowName={nameOf}
        empty={mailSays.noMails}
        failure={mailSays.listMails.failure}
        filters={[{ name: 'state', label: 'Status', options: optionsOf(mailStateLabels) }]}
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
      cell: ({ row: { original } }) => (
        <button type="button" className={styles['kind']} onClick={() => onOpen(original)}>
          {mailKindLabels[original.kind]}
        </button>
      ),
      meta: { onPhone: 'title' },
    }),
    accessor('recipient', { header: 'Recipient', meta: { isMuted: true } }),
    accessor('orderNumber', {
      header: 'Order',
      cell: ({ row: { original } }) => <OrderLink {...original} />,
    }),
    accessor('createdAt', {
      header: 'Date',
      cell: ({ getValue }) => shortTimeOf(getValue()),
      meta: { isMuted: true },
    }),
    accessor('state', {
      header: 'Status',
      cell: ({ row: { original } }) => <State {...original} />,
    }),
    menu((original) => <MailMenu mail={original} onOpen={onOpen} />),
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
      {state === 'not_sent' && <small className={styles['error']}>{mailSays.notSent}</small>}
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
