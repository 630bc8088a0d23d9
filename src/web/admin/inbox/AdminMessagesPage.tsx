import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { contactSays, messageStateLabels } from '../../../shared/contact';
import { AdminHead } from '../shell/AdminHead';
import { DataTable } from '../table/DataTable';
import { columnsOf } from '../table/features';
import { RowMenu } from '../table/RowMenu';
import { useTableSearch } from '../table/tableSearch';
import { shortTimeOf } from '../when';
import styles from './inbox.module.css';
import { type Message, messageFilters, messagesQuery, type MessageState, useSetState } from './queries';
import { StateBadge } from './StateBadge';

const MessageDialog = lazy(async () => ({ default: (await import('./MessageDialog')).MessageDialog }));

const { accessor, columns, display } = columnsOf<Message>();
const states = Object.keys(messageStateLabels) as MessageState[];
const noSorts: readonly string[] = [];

/** The messages of the contact form. Source: decisions §8 */
export function AdminMessagesPage() {
  const search = useTableSearch(messageFilters, noSorts);
  const list = useQuery(messagesQuery(search[0]));
  const { message }: { message?: string } = useSearch({ strict: false });
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
        rowId={({ id }) => id}
        rowName={nameOf}
        empty={contactSays.noMessages}
        failure={contactSays.listMessages.failure}
        searchLabel="Search messages"
        filters={[
          {
            name: 'state',
            label: 'Status',
            options: states.map((state) => ({ value: state, label: messageStateLabels[state] })),
          },
        ]}
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
const opened = (message: string | undefined) => ((before: object) => ({ ...before, message })) as never;

const nameOf = ({ fullName, email }: Message) => fullName || email;

const messageColumns = columns([
  accessor('fullName', {
    header: 'Name',
    enableSorting: false,
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
  accessor('email', { header: 'Email', enableSorting: false, meta: { isMuted: true } }),
  accessor('reason', {
    header: 'Message',
    enableSorting: false,
    cell: ({ getValue }) => <span className={styles['words']}>{getValue()}</span>,
  }),
  accessor('createdAt', {
    header: 'Date',
    enableSorting: false,
    cell: ({ getValue }) => <span className={styles['date']}>{shortTimeOf(getValue())}</span>,
    meta: { isMuted: true },
  }),
  accessor('state', {
    header: 'Status',
    enableSorting: false,
    cell: ({ getValue }) => <StateBadge state={getValue()} />,
  }),
  display({
    id: 'menu',
    header: () => <span className="sr-only">Menu</span>,
    cell: ({ row: { original } }) => <MessageMenu message={original} />,
  }),
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
        chosen: messageStateLabels[message.state],
        options: states.map((state) => ({ label: messageStateLabels[state] })),
        onChoose: (label) => {
          const state = states.find((each) => messageStateLabels[each] === label);
          if (state && state !== message.state) setState({ messageId: message.id, state });
        },
      }}
      entries={[{ label: 'View Message', icon: 'eye', onSelect: open }]}
    />
  );
}
