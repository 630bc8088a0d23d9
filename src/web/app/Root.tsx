import { HeadContent, Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useLogoutQuestion } from '../auth/logoutQuestion';
import { useShop } from '../settings/queries';
import { ShopFacts } from '../ui/shopFacts';
import { useAfterLoad } from '../ui/afterLoad';
import { useFocusOnHeading } from './useFocusOnHeading';
import { lazyPart } from '../ui/lazyPart';

const loadToasts = () => import('./Toasts');

const LogoutDialog = lazyPart(() => import('../auth/LogoutDialog'), 'LogoutDialog');

/** Shared by all screens: the title, announced when it changes, and floating elements such as toasts and dialogs. */
export function Root() {
  const title = useFocusOnHeading();
  const shop = useShop();
  const toasts = useAfterLoad(loadToasts);
  const asksAboutLogout = useLogoutQuestion();
  return (
    <ShopFacts value={shop}>
      <HeadContent />
      <Outlet />
      <output className="sr-only">{title}</output>
      {asksAboutLogout && (
        <Suspense>
          <LogoutDialog />
        </Suspense>
      )}
      {toasts && <toasts.Toasts />}
    </ShopFacts>
  );
}
