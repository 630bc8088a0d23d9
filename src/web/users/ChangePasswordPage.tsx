import { getRouteApi } from '@tanstack/react-router';
import { AccountFrame } from './AccountFrame';
import { ChangePassword } from './ChangePassword';
import { profilePath } from './profileQueries';

const route = getRouteApi('/shop/signed-in/customer/edit/password');

export function ChangePasswordPage() {
  const { user } = route.useRouteContext();
  const { redirect } = route.useSearch();
  return (
    <AccountFrame title="Change password">
      <ChangePassword user={user} wayBack={redirect ?? profilePath} />
    </AccountFrame>
  );
}
