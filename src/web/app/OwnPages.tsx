import { Outlet, useRouteContext } from '@tanstack/react-router';

/**
 * Pages of the user who is signed in. They begin anew with another one, also where nobody left them in between: as when
 * the browser brings a page back after a logout and a login in another tab.
 */
export function OwnPages() {
  return <Outlet key={useRouteContext({ strict: false }).user?.id} />;
}
