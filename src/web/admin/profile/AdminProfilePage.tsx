import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { userQuery } from '../../users/queries';
import { SessionList } from '../../users/SessionList';
import { ButtonLink } from '../../ui/ButtonLink';
import form from '../ui/form.module.css';
import { AdminHead } from '../ui/AdminHead';
import { PendingProfile, UserProfile } from '../users/UserProfile';
import styles from '../users/users.module.css';
import { AdminIcon } from '../ui/AdminIcon';
import { EmailNotifications } from './EmailNotifications';
import { OwnAddress } from './OwnAddress';

const route = getRouteApi('/admin');

/** Rule: docs/rules/back-office.md, Own profile */
export function AdminProfilePage() {
  const { user: me } = route.useRouteContext();
  const query = useQuery(userQuery(me.id));
  const { data: user } = query;
  return (
    <>
      <AdminHead title="Profile">
        <ButtonLink to="/admin/edit/profile">
          <AdminIcon name="edit" />
          Edit
        </ButtonLink>
      </AdminHead>
      {user && (
        <>
          <UserProfile user={user} addressAction={<OwnAddress account={user} />} />
          <div className={form['actions']}>
            <ButtonLink to="/admin/edit/second-factor" variant="outline">
              Two-step login
            </ButtonLink>
            <ButtonLink to="/admin/edit/password" variant="outline">
              Change password
            </ButtonLink>
          </div>
          <div className={styles['profile']}>
            <EmailNotifications user={user} />
            <SessionList userId={me.id} />
          </div>
        </>
      )}
      <PendingProfile query={query} />
    </>
  );
}
