import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { mailKindLabels, mailMessages, mailStateLabels } from '../../../shared/mail';
import { mailsList } from '../../../shared/mailsList';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { chipsOf, useTableSearch } from '../table/tableSearch';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import { shortTimeOf } from '../ui/dates';
import styles from './mail.module.css';
import { type Mail, mailsQuery, type MailState, useResendMail } from './queries';
import { lazyPart } from '../../ui/lazyPart';

const MailDialog = lazyPart(() => import('./MailDialog'), 'MailDialog');

const tones: Record<MailState, BadgeTone> = {
  waiting: 'warn',
  sent: 'success',
  not_sent: 'warn',
  failed: 'error',
  cancelled: 'neutral',
};

/**
 * The emails that the shop has sent or is about to send, for the owner.
 * Rule: docs/rules/contact-and-mail.md, The mail page
 */
export function AdminMailPage() {
  const search = useTableSearch(mailsList);
  const list = useQuery(mailsQuery(search[0]));
  const [opened, open] = useState<Mail>();
  const shown = useMemo(() => mailColumns(open), []);
  return (
    <>
      <AdminHead title="Email log" />
      <DataTable
        columns={shown}
        list={list}
        search={search}
        rowName={nameOf}
        empty={mailMessages.noMails}
        failure={mailMessages.listMails.failure}
        filters={chipsOf(mailsList, {})}
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
  columnsOf<typeof mailsList, Mail>(
    mailsList,
    {
      kind: {
        render: (mail) => (
          <button type="button" className={styles['kind']} onClick={() => onOpen(mail)}>
            {mailKindLabels[mail.kind]}
          </button>
        ),
        onPhone: 'title',
      },
      recipient: { render: ({ recipient }) => recipient, isMuted: true },
      orderNumber: { render: (mail) => <OrderLink {...mail} /> },
      createdAt: { render: ({ createdAt }) => shortTimeOf(createdAt), isMuted: true },
      state: { render: (mail) => <State {...mail} /> },
    },
    (mail) => <MailMenu mail={mail} onOpen={onOpen} />,
  );

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
      {state === 'not_sent' && <small className={styles['error']}>{mailMessages.notSent}</small>}
      {lastError && state !== 'sent' && (
        <small
          className={styles['error']}
        >{`${lastError} (${attempts} ${attempts === 1 ? 'attempt' : 'attempts'})`}</small>
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
        { label: 'View Email', icon: 'eye', onSelect: () => onOpen(mail) },
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
