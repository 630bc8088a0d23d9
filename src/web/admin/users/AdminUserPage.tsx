import { Button, buttonClass } from '../../ui/Button';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { userStaffMessages } from '../../../shared/usersStaff';
import { ButtonLink } from '../../ui/ButtonLink';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Icon } from '../../ui/Icon';
import form from '../ui/form.module.css';
import { AdminHead } from '../ui/AdminHead';
import { CustomerFigures } from './customer/CustomerFigures';
import { CustomerMessages } from './customer/CustomerMessages';
import { CustomerNotes } from './customer/CustomerNotes';
import { CustomerOrders } from './customer/CustomerOrders';
import { CustomerTags } from './customer/CustomerTags';
import { MoreAddresses } from './customer/MoreAddresses';
import { summaryQuery } from './customer/queries';
import customer from './customer/customer.module.css';
import { InactivateDialog } from './UserMenu';
import { PromotionPanel } from './Promotions';
import { RoleBadge, StateBadge } from './UserBadges';
import { staffUserQuery, type User, useEndSessionsOf, useUpdateEnabled } from './queries';
import { UserMenu } from './UserMenu';
import { PendingProfile, UserProfile } from './UserProfile';

const route = getRouteApi('/admin');

/**
 * Everything that the shop knows about a customer. Its reads start together. Rule: docs/rules/back-office.md, A
 * customer's page
 */
export function AdminUserPage() {
  const { userId = '' } = useParams({ strict: false });
  return <UserPage key={userId} userId={userId} />;
}

function UserPage({ userId }: { userId: string }) {
  const { user: me } = route.useRouteContext();
  const query = useQuery(staffUserQuery(userId));
  const { data: user } = query;
  const [isInactivating, setInactivating] = useState(false);
  return (
    <>
      <AdminHead
        title={user?.fullName ?? 'View Profile'}
        back={{ to: '/user/management' }}
        beside={user && <TitleBadges user={user} />}
      >
        {user && (
          <>
            <a href={`mailto:${user.email}`} className={buttonClass({ variant: 'outline' })}>
              <Icon name="mail" />
              Email
            </a>
            <UserMenu user={user} me={me} onInactivate={() => setInactivating(true)} />
          </>
        )}
      </AdminHead>
      {(user ?? !query.error) && (
        <>
          <CustomerFigures userId={userId} />
          <div className={customer['grid']}>
            <div className={form['stack']}>
              <CustomerOrders userId={userId} />
              <CustomerMessages userId={userId} />
              <CustomerNotes userId={userId} />
              {me.role === 'ROLE_OWNER' && <PromotionPanel userId={userId} />}
            </div>
            <div className={`${form['stack']} ${customer['beside']}`}>
              <CustomerTags userId={userId} />
              {user && <UserProfile user={user} isBesideTitle />}
              <PendingProfile query={query} back={toUsers} />
              {user && <MoreAddresses addresses={user.addresses} />}
              {user && (
                <AccountActions
                  user={user}
                  isOwner={me.role === 'ROLE_OWNER'}
                  onInactivate={() => setInactivating(true)}
                />
              )}
            </div>
          </div>
        </>
      )}
      {!user && query.error && <PendingProfile query={query} back={toUsers} />}
      {isInactivating && user && <InactivateDialog user={user} onClose={() => setInactivating(false)} />}
    </>
  );
}

const toUsers = { to: '/user/management', label: 'Users' };
const tagsInTitle = 3;

/** State, role, and the first tags. */
function TitleBadges({ user: { id, isEnabled, role } }: { user: User }) {
  const tags = useQuery(summaryQuery(id)).data?.tags ?? [];
  const others = tags.length - tagsInTitle;
  return (
    <span className={customer['badges']}>
      <StateBadge isEnabled={isEnabled} />
      <RoleBadge role={role} />
      {tags.slice(0, tagsInTitle).map((tag) => (
        <span key={tag} className={customer['titleTag']}>
          {tag}
        </span>
      ))}
      {others > 0 && <span className={customer['titleTag']}>{`+${others}`}</span>}
    </span>
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
