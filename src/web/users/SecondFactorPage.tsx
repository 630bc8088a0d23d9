import { getRouteApi } from '@tanstack/react-router';
import { AccountFrame } from './AccountFrame';
import { profilePath } from './profileQueries';
import { SecondFactor } from './SecondFactor';

const route = getRouteApi('/shop/signed-in/customer/edit/second-factor');

export function SecondFactorPage() {
  const { user } = route.useRouteContext();
  const { redirect } = route.useSearch();
  return (
    <AccountFrame title="Two-step login">
      <SecondFactor userId={user.id} wayBack={redirect ?? profilePath} />
    </AccountFrame>
  );
}
