import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { dutyPages } from '../../shared/auth';
import type { Schema } from '../../shared/contract';
import { listen, stopAll } from '../browser/listen';
import { accessToken } from '../server/accessToken';
import { hasEndedWithBrowser } from '../server/browserSession';
import { whenUserMust } from '../server/client';
import { allPersonal } from '../server/queries';
import { isSessionEvent, rereadSession, session } from '../server/session';
import { clearOthersIntentions } from '../cart/intention';
import { addIntentions } from '../cart/queries';
import { outbox } from '../outbox/outbox';
import { wipeAnswersOf } from '../device/answers';
import { trackWayBack, type WayBack } from '../catalog/pages/wayBack';
import { persistShopFacts } from '../settings/savedShop';
import { createQueryClient } from './queryClient';
import { ErrorPage } from './ErrorPage';
import { savesData } from '../browser/dataUse';
import { routeTree } from './routes';
import { parseSearch, stringifySearch } from './routeSearch';

/** Creates the app: its query cache and router, wired to the session. */
export function createShop(history?: RouterHistory) {
  const queryClient = createQueryClient();
  persistShopFacts(queryClient);
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    defaultPreload: typeof window === 'undefined' || savesData() ? false : 'intent',
    defaultPreloadStaleTime: 0, // the query cache decides what is fresh
    scrollRestoration: true,
    scrollRestorationBehavior: 'instant', // only in-page anchors, such as About, scroll smoothly
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ErrorPage,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  trackWayBack(router.history);
  outbox.connect({ cache: queryClient, load: () => import('./operations') });
  return { queryClient, router };
}

export type Shop = ReturnType<typeof createShop>;

/**
 * Reacts to session changes: in this tab, in another tab, or ended by the server.
 * @returns a function that stops it
 */
export function followSession({ queryClient, router }: Shop): () => void {
  let userId = session.get()?.id;
  if (hasEndedWithBrowser()) {
    clearOthersIntentions(undefined);
    void import('../device/endedSession').then(({ wipeEndedSession }) => wipeEndedSession()).catch(() => undefined);
  }
  if (userId !== undefined) addIntentions(queryClient, userId); // added on a page that was left right after the login
  const clearUser = () => {
    const [before, next] = [userId, session.get()?.id];
    if (next === before) return;
    userId = next;
    accessToken.forget();
    clearOthersIntentions(next);
    queryClient.removeQueries({ queryKey: allPersonal });
    if (before !== undefined) void wipeAnswersOf(before).catch(() => undefined);
  };
  return stopAll(
    session.subscribe(clearUser),
    // leave a page that the user may no longer see
    listen(window, 'storage', (event: StorageEvent) => isSessionEvent(event) && void router.invalidate()),
    listen(window, 'pageshow', (event: PageTransitionEvent) => event.persisted && checkRestored(router)),
    whenUserMust((duty) => {
      const { href: redirect, pathname } = router.state.location;
      if (duty === 'log_in') return void router.navigate({ to: '/login', search: { redirect } });
      if (Object.values<string>(dutyPages).includes(pathname)) return undefined;
      return void router.navigate({ to: dutyPages[duty], search: { redirect }, state: { isDuty: true } });
    }),
  );
}

/** Keeps a page restored from the back/forward cache hidden until its guard has run. */
function checkRestored(router: Shop['router']): void {
  if (session.stored()?.id === session.get()?.id) return;
  document.body.hidden = true;
  rereadSession();
  void router.invalidate().finally(() => {
    document.body.hidden = false;
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Shop['router'];
  }
  interface HistoryState {
    /** The cart, passed from the cart page to checkout: a preview for this user until the server's cart loads. */
    checkout?: Schema<'Cart'> & { userId: string };
    /** Target of a product page's Back link. */
    wayBack?: WayBack | undefined;
    /** The filters are open over the list. */
    isFiltering?: boolean;
    /** The message that the login page shows for the page that redirected to it. */
    said?: string;
    /** The user has a duty and can't leave before submitting this page's form. */
    isDuty?: boolean;
  }
}
