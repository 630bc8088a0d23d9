import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { contactFormMessages } from '../../../shared/contact';
import type { Schema } from '../../../shared/contract';
import { dashboardMessages } from '../../../shared/dashboard';
import { ReadFailure } from '../../connection/ReadFailure';
import { Icon } from '../../ui/Icon';
import { SkeletonRows } from '../../ui/SkeletonRows';
import { Waiting } from '../../ui/Waiting';
import table from '../table/DataTable.module.css';
import box from '../ui/box.module.css';
import { shortDayOf } from '../ui/dates';
import styles from './dashboard.module.css';
import { recentMessagesQuery } from './queries';

/** The latest contact messages. Rule: docs/rules/back-office.md, Dashboard */
export function RecentMessages({ newMessages }: { newMessages: number }) {
  const read = useQuery(recentMessagesQuery());
  const { data, error } = read;
  return (
    <section className={box['box']} aria-labelledby="messages-heading">
      <header>
        <h2 id="messages-heading">Recent Messages</h2>
        <Link to="/admin/messages" className={styles['inbox']}>
          View messages{newMessages > 0 && ` (${newMessages} unread)`}
          <Icon name="right" />
        </Link>
      </header>
      {data && data.length > 0 && <Messages messages={data} />}
      {data?.length === 0 && <p className={styles['none']}>{dashboardMessages.noMessages}</p>}
      {!data && error && (
        <div className={styles['none']}>
          <ReadFailure read={read} failure={contactFormMessages.listMessages.failure} />
        </div>
      )}
      {!data && !error && (
        <Waiting what="the messages" className={styles['waiting']}>
          <SkeletonRows />
        </Waiting>
      )}
    </section>
  );
}

function Messages({ messages }: { messages: Schema<'InboxMessage'>[] }) {
  return (
    <table className={`${box['table']} ${table['table']} ${styles['messages']}`}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">Message</th>
          <th scope="col" className={table['figure']}>
            Date
          </th>
        </tr>
      </thead>
      <tbody>
        {messages.map(({ id, fullName, email, reason, createdAt }) => (
          <tr key={id}>
            <td className={table['titleOnPhone']}>
              <Link to="/admin/messages" search={{ message: id }} className={styles['sender']}>
                {fullName || email}
              </Link>
            </td>
            <td className={table['muted']}>{email}</td>
            <td className={styles['words']}>{reason}</td>
            <td className={`${table['figure']} ${table['muted']}`}>{shortDayOf(createdAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
