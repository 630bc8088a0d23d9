import { Outlet, useRouteContext } from '@tanstack/react-router';

/**
 * Pages of the signed-in user. They remount when the user changes, even without navigation: the browser may restore a
 * page after a logout and a login in another tab.
 */
export function UserPages() {
  return <Outlet key={useRouteContext({ strict: false }).user?.id} />;
}
