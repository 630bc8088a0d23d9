import { Button } from '../../ui/Button';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { userStaffMessages } from '../../../shared/usersStaff';
import { ButtonLink } from '../../ui/ButtonLink';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import form from '../ui/form.module.css';
import { AdminHead } from '../ui/AdminHead';
import { InactivateDialog } from './UserMenu';
import { PromotionPanel } from './Promotions';
import { staffUserQuery, type User, useEndSessionsOf, useUpdateEnabled } from './queries';
import { UserMenu } from './UserMenu';
import { PendingProfile, UserProfile } from './UserProfile';

const route = getRouteApi('/admin');

/** Rule: docs/rules/back-office.md, Users */
export function AdminUserPage() {
  const { userId = '' } = useParams({ strict: false });
  const { user: me } = route.useRouteContext();
  const query = useQuery(staffUserQuery(userId));
  const { data: user } = query;
  const [isInactivating, setInactivating] = useState(false);
  return (
    <>
      <AdminHead title={user?.fullName ?? 'View Profile'} back={{ to: '/user/management' }}>
        {user && <UserMenu user={user} me={me} onInactivate={() => setInactivating(true)} />}
      </AdminHead>
      {user && (
        <>
          <UserProfile user={user} />
          <AccountActions user={user} isOwner={me.role === 'ROLE_OWNER'} onInactivate={() => setInactivating(true)} />
          {me.role === 'ROLE_OWNER' && <PromotionPanel userId={user.id} />}
        </>
      )}
      <PendingProfile query={query} back={{ to: '/user/management', label: 'Users' }} />
      {isInactivating && user && <InactivateDialog user={user} onClose={() => setInactivating(false)} />}
    </>
  );
}

/** The server decides about owners and the user's own account. */
function AccountActions({ user, isOwner, onInactivate }: { user: User; isOwner: boolean; onInactivate: () => void }) {
  const { mutate: endSessions } = useEndSessionsOf();
  const { mutate: setEnabled } = useUpdateEnabled();
  const [isEnding, setEnding] = useState(false);
  const { id, fullName, isEnabled, role } = user;
  return (
    <div className={form['actions']}>
      {(isOwner || role !== 'ROLE_OWNER') && (
        <Button variant="outline" onClick={() => setEnding(true)}>
          Log out everywhere
        </Button>
      )}
      {isOwner && role !== 'ROLE_OWNER' && (
        <Button
          variant="outline"
          onClick={() => (isEnabled ? onInactivate() : setEnabled({ userId: id, isEnabled: true }))}
        >
          {isEnabled ? 'Deactivate' : 'Activate'}
        </Button>
      )}
      <ButtonLink to="/admin/audit" search={{ kind: 'user', targetId: id }} variant="ghost">
        Audit log
      </ButtonLink>
      {isEnding && (
        <ConfirmDialog
          title={`Log out ${fullName} everywhere?`}
          text={userStaffMessages.endSessionsAsks}
          action="Log out everywhere"
          onConfirm={() => endSessions(id)}
          onClose={() => setEnding(false)}
        />
      )}
    </div>
  );
}
