import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { contactSays, messageStateLabels } from '../../../shared/contact';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { optionsOf, useTableSearch } from '../table/tableSearch';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import { shortTimeOf } from '../ui/when';
import styles from './inbox.module.css';
import { type Message, messageRules, messagesQuery, type MessageState, useSetState } from './queries';
import { StateBadge } from './StateBadge';
import { lazyPart } from '../../ui/lazyPart';

const MessageDialog = lazyPart(() => import('./MessageDialog'), 'MessageDialog');

const { accessor, columns, menu } = columnsOf<Message>();
const states = Object.keys(messageStateLabels) as MessageState[];

/** The messages of the contact form. Rule: docs/rules/contact-and-mail.md, Inbox */
export function AdminMessagesPage() {
  const search = useTableSearch(messageRules);
  const list = useQuery(messagesQuery(search[0]));
  const message = String(useSearch({ strict: false }).message ?? '');
  const navigate = useNavigate();
  const close = () => void navigate({ to: '.', search: opened(undefined) });
  return (
    <>
      <AdminHead title="Messages" />
      <DataTable
        label="Messages"
        columns={messageColumns}
        list={list}
        search={search}
        rowName={nameOf}
        empty={contactSays.noMessages}
        failure={contactSays.listMessages.failure}
        searchLabel="Search messages"
        filters={[{ name: 'state', label: 'Status', options: optionsOf(messageStateLabels) }]}
        isMarked={({ id }) => id === message}
      />
      {message && (
        <Suspense>
          <MessageDialog key={message} messageId={message} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

/** The address with a message open, or none; what is shown of the list stays. */
const opened = (message: string | undefined) => (before: object) => ({ ...before, message });

const nameOf = ({ fullName, email }: Message) => fullName || email;

const messageColumns = columns([
  accessor('fullName', {
    header: 'Name',
    cell: ({ row: { original } }) => (
      <Link
        to="."
        search={opened(original.id)}
        resetScroll={false}
        className={`${styles['name']} ${original.state === 'new' ? styles['new'] : ''}`}
      >
        {nameOf(original)}
      </Link>
    ),
    meta: { onPhone: 'title' },
  }),
  accessor('email', { header: 'Email', meta: { isMuted: true } }),
  accessor('reason', {
    header: 'Message',
    cell: ({ getValue }) => <span className={styles['words']}>{getValue()}</span>,
  }),
  accessor('createdAt', {
    header: 'Date',
    cell: ({ getValue }) => <span className={styles['date']}>{shortTimeOf(getValue())}</span>,
    meta: { isMuted: true },
  }),
  accessor('state', {
    header: 'Status',
    cell: ({ getValue }) => <StateBadge state={getValue()} />,
  }),
  menu((original) => <MessageMenu message={original} />),
]);

function MessageMenu({ message }: { message: Message }) {
  const { mutate: setState } = useSetState();
  const navigate = useNavigate();
  const open = () => void navigate({ to: '.', search: opened(message.id), resetScroll: false });
  return (
    <RowMenu
      of={nameOf(message)}
      choice={{
        heading: 'Mark as',
        chosen: message.state,
        options: states.map((state) => ({ value: state, label: messageStateLabels[state] })),
        onChoose: (value) => {
          const state = states.find((each) => each === value);
          if (state && state !== message.state) setState({ messageId: message.id, state });
        },
      }}
      entries={[{ label: 'View Message', icon: 'eye', onSelect: open }]}
    />
  );
}
