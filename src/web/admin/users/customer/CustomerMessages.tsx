import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { contactFormMessages } from '../../../../shared/contact';
import { formatCount } from '../../../../shared/counts';
import { customerMessages } from '../../../../shared/customers';
import { ReadFailure } from '../../../connection/ReadFailure';
import { ButtonLink } from '../../../ui/ButtonLink';
import { SkeletonRows } from '../../../ui/SkeletonRows';
import { Waiting } from '../../../ui/Waiting';
import { StateBadge } from '../../contact/StateBadge';
import box from '../../ui/box.module.css';
import { dayOf } from '../../ui/dates';
import styles from './customer.module.css';
import { customerMessagesQuery, rowsShown } from './queries';

/** The latest messages of the contact form from this account or its email. Rule: docs/rules/contact-and-mail.md, Inbox */
export function CustomerMessages({ userId }: { userId: string }) {
  const read = useQuery(customerMessagesQuery(userId));
  const { data, error } = read;
  return (
    <section className={box['box']} aria-labelledby="messages-heading">
      <header>
        <h2 id="messages-heading">Messages</h2>
      </header>
      {data && data.content.length === 0 && <p className={box['state']}>{customerMessages.noMessages}</p>}
      <ul className={styles['rows']}>
        {data?.content.map((message) => (
          <li key={message.id}>
            <Link
              to="/admin/messages"
              search={{ customer: userId, message: message.id }}
              className={`${styles['target']} ${styles['words']}`}
            >
              {message.reason}
            </Link>
            <span className={styles['about']}>
              <StateBadge state={message.state} />
              {dayOf(message.createdAt)}
              {message.userId === null && <span>{customerMessages.notLoggedIn}</span>}
            </span>
          </li>
        ))}
      </ul>
      {data && data.totalElements > rowsShown && (
        <div className={styles['foot']}>
          <span className="tabular">{`1–${rowsShown} of ${formatCount(data.totalElements)}`}</span>
          <ButtonLink to="/admin/messages" search={{ customer: userId }} variant="ghost">
            View all messages
          </ButtonLink>
        </div>
      )}
      {!data && error && (
        <div className={box['state']}>
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
