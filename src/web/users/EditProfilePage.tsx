import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { accountMessages } from '../../shared/usersAccount';
import { ReadFailure } from '../connection/ReadFailure';
import { Waiting } from '../ui/Waiting';
import { AccountFrame } from './AccountFrame';
import styles from './accountForm.module.css';
import { OwnPicture } from './OwnPicture';
import { ProfileForm } from './ProfileForm';
import { profilePath } from './profileQueries';
import { userQuery } from './queries';

const route = getRouteApi('/shop/signed-in/customer/edit/profile');

export function EditProfilePage() {
  const { user } = route.useRouteContext();
  const read = useQuery(userQuery(user.id));
  const { data: account, error } = read;
  return (
    <AccountFrame title="Edit Profile">
      {account && <OwnPicture account={account} />}
      {account && <ProfileForm account={account} profilePath={profilePath} />}
      {!account && error && <ReadFailure read={read} failure={accountMessages.profileFailed} />}
      {!account && !error && (
        <Waiting what="your profile">
          <span className={`skeleton ${styles['waiting']}`} />
        </Waiting>
      )}
    </AccountFrame>
  );
}
