import type { ComponentProps, ReactNode } from 'react';
import { accountMessages, roleLabels } from '../../../shared/usersAccount';
import { userStaffMessages } from '../../../shared/usersStaff';
import { Avatar } from '../../users/Avatar';
import { ReadFailure } from '../../connection/ReadFailure';
import { type Pending, toDashboard } from '../ui/AdminHead';
import { Facts } from '../ui/Facts';
import form from '../ui/form.module.css';
import { dayOf, daysInWords } from '../ui/dates';
import type { User } from './queries';
import { RoleBadge, StateBadge } from './UserBadges';
import styles from './users.module.css';

interface ProfileProps {
  user: User;
  /** A button below the address. */
  addressAction?: ReactNode;
  /** The page's title has the role and the state, and the page is about a customer. */
  isBesideTitle?: boolean;
}

/**
 * A user's data in three panels; only the first saved address is shown.
 * Rule: docs/rules/back-office.md, Users
 */
export function UserProfile({ user, addressAction, isBesideTitle = false }: ProfileProps) {
  const { fullName, role, isEnabled, email, phoneNumber, dob, picture, addresses, isEmailProven } = user;
  const [firstName, lastName] = splitName(fullName);
  const address = addresses[0];
  return (
    <div className={styles['profile']}>
      <section className={form['box']} aria-label="Profile">
        <div className={styles['who']}>
          <Avatar fullName={fullName} picture={picture} className={styles['picture']} />
          <div>
            <h2>{fullName}</h2>
            {!isBesideTitle && (
              <span className={styles['badges']}>
                <RoleBadge role={role} />
                <StateBadge isEnabled={isEnabled} />
              </span>
            )}
            <p>{address ? `${address.city}, ${address.country}` : userStaffMessages.notKnown}</p>
          </div>
        </div>
      </section>
      <Panel
        title="Personal Information"
        rows={[
          ['First name', firstName],
          ['Last name', lastName],
          ['Email', !isEmailProven ? userStaffMessages.unproven(email) : email],
          ['Phone', phoneNumber],
          ['Date of birth', dob && daysInWords(dob, dob)],
          ['Role', roleLabels[role]],
          ...(isBesideTitle ? [['Joined', dayOf(user.createdAt)] as const] : []),
        ]}
      />
      <Panel
        title="Address"
        rows={[
          ['Country', address?.country],
          ...(address?.company ? [['Company', address.company] as const] : []),
          ['Street address', address?.street],
          ...(address?.street2 ? [['Street line 2', address.street2] as const] : []),
          ['City', address?.city],
          ['State', address?.state],
          ['ZIP code', address?.postalCode],
          ...(address?.phone ? [['Phone', address.phone] as const] : []),
        ]}
      >
        {addressAction}
      </Panel>
    </div>
  );
}

/** Shown while a profile loads or if that fails. */
export function PendingProfile({ query, back }: Pick<ComponentProps<typeof Pending>, 'query' | 'back'>) {
  if (query.data) return null;
  if (query.error)
    return <ReadFailure read={query} failure={accountMessages.profileFailed} back={back ?? toDashboard} />;
  return (
    <>
      <output>{userStaffMessages.loading}</output>
      <div aria-busy="true">
        <span className={`skeleton ${form['waiting']}`} />
      </div>
    </>
  );
}

interface PanelProps {
  title: string;
  rows: (readonly [string, string | null | undefined])[];
  /** Below the rows. */
  children?: ReactNode;
}

function Panel({ title, rows, children }: PanelProps) {
  const none = <span className={styles['none']}>{userStaffMessages.notKnown}</span>;
  return (
    <section className={form['box']} aria-label={title}>
      <h2 className={form['heading']}>{title}</h2>
      <Facts rows={rows.map(([name, value]) => [name, value || none])} />
      {children}
    </section>
  );
}

/** Rule: docs/rules/back-office.md, Users */
function splitName(fullName: string): [first: string, last: string] {
  const [first = '', ...others] = fullName.trim().split(/\s+/u);
  return [first, others.join(' ')];
}
