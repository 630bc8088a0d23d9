import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../../shared/contract';
import { newOrderLabels, type StaffMails, staffMailsMessages as messages } from '../../../shared/staffMails';
import { ConnectionNotice } from '../../connection/ConnectionNotice';
import { useIsOnline } from '../../server/reachability';
import { SelectField } from '../../ui/FormField';
import { mailStateQuery } from '../settings/queries';
import { Pending } from '../ui/AdminHead';
import form from '../ui/form.module.css';
import { Toggle } from '../ui/Toggle';
import styles from './EmailNotifications.module.css';
import { staffMailsQuery, useSetStaffMails } from './staffMailQueries';

/**
 * Which emails the user gets as staff. Each change is saved immediately.
 * Rule: docs/rules/contact-and-mail.md, Emails to staff
 */
export function EmailNotifications({ user }: { user: Pick<Schema<'User'>, 'id' | 'email'> }) {
  const query = useQuery(staffMailsQuery(user.id));
  const { data: mailState } = useQuery(mailStateQuery());
  return (
    <section className={form['box']} aria-labelledby="email-notifications">
      <h2 id="email-notifications" className={form['heading']}>
        Email notifications
      </h2>
      {query.data && <Choices userId={user.id} saved={query.data} />}
      <Pending
        query={query}
        failure={messages.getStaffMails.failure}
        what="your email notifications"
        className={styles['waiting']}
      />
      <p className={styles['hint']}>{mailState === 'none' ? messages.noServer : messages.to(user.email)}</p>
    </section>
  );
}

function Choices({ userId, saved }: { userId: string; saved: StaffMails }) {
  const { mutate } = useSetStaffMails(userId);
  const isOnline = useIsOnline();
  const [chosen, setChosen] = useState<StaffMails>(); // until it is saved
  const shown = chosen ?? saved;
  const change = (choice: Partial<StaffMails>) => {
    const next = { ...shown, ...choice };
    setChosen(next);
    mutate(next, { onSettled: () => setChosen((now) => (now === next ? undefined : now)) });
  };
  return (
    <>
      {!isOnline && <ConnectionNotice what="change these" />}
      <div className={styles['orders']}>
        <SelectField
          label="New orders"
          value={shown.newOrder}
          disabled={!isOnline}
          onChange={({ target }) => change({ newOrder: target.value as StaffMails['newOrder'] })}
        >
          {Object.entries(newOrderLabels).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <ul className={styles['rows']}>
        <Row
          title="Low stock"
          hint={messages.lowStock}
          isOn={shown.lowStock}
          isOff={!isOnline}
          onChange={(lowStock) => change({ lowStock })}
        />
        <Row
          title="New messages"
          hint={messages.newMessage}
          isOn={shown.newMessage}
          isOff={!isOnline}
          onChange={(newMessage) => change({ newMessage })}
        />
      </ul>
    </>
  );
}

interface RowProps {
  title: string;
  hint: string;
  isOn: boolean;
  isOff: boolean;
  onChange: (isOn: boolean) => void;
}

function Row({ title, hint, ...toggle }: RowProps) {
  return (
    <li>
      <div>
        <b>{title}</b>
        <p className={styles['hint']}>{hint}</p>
      </div>
      <Toggle label={`${title} by email`} {...toggle} />
    </li>
  );
}
