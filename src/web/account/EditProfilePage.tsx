import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { accountSays } from '../../shared/account';
import { useHonestSentence } from '../connection/useHonestSentence';
import { FailureNotice } from '../ui/FailureNotice';
import { AccountFrame } from './AccountFrame';
import styles from './accountForm.module.css';
import { ProfileForm } from './ProfileForm';
import { profilePath } from './profileQueries';
import { userQuery } from './queries';

const route = getRouteApi('/shop/signed-in/customer/edit/profile');

export function EditProfilePage() {
  const { user } = route.useRouteContext();
  const { data: account, error, refetch } = useQuery(userQuery(user.id));
  const failure = useHonestSentence(accountSays.profileFailed);
  return (
    <AccountFrame title="Edit Profile">
      {account && <ProfileForm account={account} profilePath={profilePath} />}
      {!account && error && <FailureNotice sentence={failure} onRetry={refetch} />}
      {!account && !error && <output className={`skeleton ${styles['waiting']}`} aria-label="Loading your profile" />}
    </AccountFrame>
  );
}
