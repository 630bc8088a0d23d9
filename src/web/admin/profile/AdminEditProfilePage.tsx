import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { accountMessages } from '../../../shared/usersAccount';
import { OwnPicture } from '../../users/OwnPicture';
import { ProfileForm } from '../../users/ProfileForm';
import { userQuery } from '../../users/queries';
import { AdminHead, Pending } from '../ui/AdminHead';
import form from '../ui/form.module.css';

const route = getRouteApi('/admin');

export function AdminEditProfilePage() {
  const { user: me } = route.useRouteContext();
  const query = useQuery(userQuery(me.id));
  const { data: account } = query;
  return (
    <>
      <AdminHead title="Edit Profile" back={{ to: '/admin/view/profile' }} />
      {account && (
        <div className={`${form['stack']} ${form['narrow']}`}>
          <OwnPicture account={account} />
          <ProfileForm account={account} profilePath="/admin/view/profile" />
        </div>
      )}
      <Pending query={query} failure={accountMessages.profileFailed} what="your profile" className={form['waiting']} />
    </>
  );
}
