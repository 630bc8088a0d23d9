import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { contactFormMessages, messageStateLabels } from '../../../shared/contact';
import { messagesList } from '../../../shared/messagesList';
import { DataTable } from '../table/DataTable';
import { RowMenu } from '../table/RowMenu';
import { chipsOf, useTableSearch } from '../table/tableSearch';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import { shortTimeOf } from '../ui/dates';
import { useCustomerFilter } from '../useCustomerFilter';
import styles from './inbox.module.css';
import { type Message, messagesQuery, type MessageState, useSetState } from './queries';
import { StateBadge } from './StateBadge';
import { lazyPart } from '../../ui/lazyPart';

const MessageDialog = lazyPart(() => import('./MessageDialog'), 'MessageDialog');

const states = Object.keys(messageStateLabels) as MessageState[];

/** The messages of the contact form. Rule: docs/rules/contact-and-mail.md, Inbox */
export function AdminMessagesPage() {
  const search = useTableSearch(messagesList);
  const list = useQuery(messagesQuery(search[0]));
  const customer = useCustomerFilter(search[0].filters.customer);
  const message = String(useSearch({ strict: false }).message ?? '');
  const navigate = useNavigate();
  const close = () => void navigate({ to: '.', search: opened(undefined) });
  return (
    <>
      <AdminHead title="Messages" />
      <DataTable
        columns={messageColumns}
        list={list}
        search={search}
        rowName={nameOf}
        empty={contactFormMessages.noMessages}
        failure={contactFormMessages.listMessages.failure}
        filters={chipsOf(messagesList, { customer })}
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

/** The URL's search with a message open, or none; the list's own search stays. */
const opened = (message: string | undefined) => (before: object) => ({ ...before, message });

const nameOf = ({ fullName, email }: Message) => fullName || email;

const messageColumns = columnsOf<typeof messagesList, Message>(
  messagesList,
  {
    fullName: {
      render: (message) => (
        <Link
          to="."
          search={opened(message.id)}
          resetScroll={false}
          className={`${styles['name']} ${message.state === 'new' ? styles['new'] : ''}`}
        >
          {nameOf(message)}
        </Link>
      ),
      onPhone: 'title',
    },
    email: { render: ({ fullName, email }) => fullName && email, isMuted: true }, // without a name it is the title
    reason: { render: ({ reason }) => <span className={styles['words']}>{reason}</span> },
    createdAt: {
      render: ({ createdAt }) => <span className={styles['date']}>{shortTimeOf(createdAt)}</span>,
      isMuted: true,
    },
    state: { render: ({ state }) => <StateBadge state={state} /> },
  },
  (message) => <MessageMenu message={message} />,
);

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
