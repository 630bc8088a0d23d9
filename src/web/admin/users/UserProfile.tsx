import { accountSays, roleLabels, initialsOf } from '../../../shared/account';
import { userStaffSays } from '../../../shared/usersStaff';
import { useHonestSentence } from '../../connection/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import { Facts } from '../ui/Facts';
import form from '../ui/form.module.css';
import { daysInWords } from '../ui/when';
import type { User } from './queries';
import { RoleBadge, StateBadge } from './UserBadges';
import styles from './users.module.css';

/**
 * Who somebody is, in three panels; the first saved address is the one that is shown.
 * Rule: docs/rules/back-office.md, Users
 */
export function UserProfile({ user }: { user: User }) {
  const { fullName, role, isEnabled, email, phoneNumber, dob, imageUrl, addresses, isEmailProven } = user;
  const [firstName, lastName] = splitName(fullName);
  const address = addresses[0];
  return (
    <div className={styles['profile']}>
      <section className={form['box']} aria-label="Profile">
        <div className={styles['who']}>
          <span className={styles['picture']}>
            {imageUrl ? <img src={imageUrl} alt="" /> : <span aria-hidden="true">{initialsOf(fullName)}</span>}
          </span>
          <div>
            <h2>{fullName}</h2>
            <span className={styles['badges']}>
              <RoleBadge role={role} />
              <StateBadge isEnabled={isEnabled} />
            </span>
            <p>{address ? `${address.city}, ${address.country}` : userStaffSays.notKnown}</p>
          </div>
        </div>
      </section>
      <Panel
        title="Personal Information"
        rows={[
          ['First Name', firstName],
          ['Last Name', lastName],
          ['Email', isEmailProven === false ? userStaffSays.unproven(email) : email],
          ['Phone', phoneNumber],
          ['Date of Birth', dob && daysInWords(dob, dob)],
          ['User Role', roleLabels[role]],
        ]}
      />
      <Panel
        title="Address"
        rows={[
          ['Country', address?.country],
          ['Street', address?.street],
          ['City', address?.city],
          ['State', address?.state],
          ['Postal Code', address?.postalCode],
        ]}
      />
    </div>
  );
}

/** In the place of a profile that is not here yet. */
export function PendingProfile({ data, error, refetch }: { data: unknown; error: unknown; refetch: () => unknown }) {
  const failure = useHonestSentence(accountSays.profileFailed);
  if (data) return null;
  if (error) return <FailureNotice sentence={failure} onRetry={refetch} />;
  return (
    <div aria-busy="true">
      <output>{userStaffSays.loading}</output>
      <span className={`skeleton ${form['waiting']}`} />
    </div>
  );
}

function Panel({ title, rows }: { title: string; rows: (readonly [string, string | null | undefined])[] }) {
  const none = <span className={styles['none']}>{userStaffSays.notKnown}</span>;
  return (
    <section className={form['box']} aria-label={title}>
      <h2 className={form['heading']}>{title}</h2>
      <Facts rows={rows.map(([name, value]) => [name, value || none])} />
    </section>
  );
}

/** Rule: docs/rules/back-office.md, Users */
function splitName(fullName: string): [first: string, last: string] {
  const [first = '', ...others] = fullName.trim().split(/\s+/u);
  return [first, others.join(' ')];
}
