import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { accountSays } from '../../../shared/account';
import { ProfileForm } from '../../account/ProfileForm';
import { userQuery } from '../../account/queries';
import { useHonestSentence } from '../../offline/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import form from '../form.module.css';
import { AdminHead } from '../shell/AdminHead';

const route = getRouteApi('/admin');

export function AdminEditProfilePage() {
  const { user: me } = route.useRouteContext();
  const { data: account, error, refetch } = useQuery(userQuery(me.id));
  const failure = useHonestSentence(accountSays.profileFailed);
  return (
    <>
      <AdminHead title="Edit Profile" back={{ to: '/admin/view/profile' }} />
      {account && (
        <div className={form['narrow']}>
          <ProfileForm account={account} profilePath="/admin/view/profile" />
        </div>
      )}
      {!account && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!account && !error && <output className={`skeleton ${form['waiting']}`} aria-label="Loading your profile" />}
    </>
  );
}
