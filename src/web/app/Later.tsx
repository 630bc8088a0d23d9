import { Suspense, useEffect } from 'react';
import { useLogoutQuestion } from '../auth/logoutQuestion';
import { lazyPart } from '../ui/lazyPart';
import { useShopFacts } from '../ui/shopFacts';
import { Toasts } from './Toasts';

const LogoutDialog = lazyPart(() => import('../auth/LogoutDialog'), 'LogoutDialog');

/** What every screen loads after its first view: toasts, the question at a logout, and the shop's colors. */
export function Later() {
  const { palette } = useShopFacts();
  const asksAboutLogout = useLogoutQuestion();
  useEffect(() => {
    // the server's page has the colors already, and says which
    if (palette !== document.documentElement.dataset['palette'])
      void import('./palette').then(
        ({ showPalette }) => showPalette(palette),
        () => undefined,
      );
  }, [palette]);
  return (
    <>
      {asksAboutLogout && (
        <Suspense>
          <LogoutDialog />
        </Suspense>
      )}
      <Toasts />
    </>
  );
}
