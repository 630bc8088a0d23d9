import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { dutyPages } from '../../shared/auth';
import type { Schema } from '../../shared/contract';
import { listen, stopAll } from '../browser/listen';
import { accessToken } from '../server/accessToken';
import { hasEndedWithBrowser } from '../server/browserSession';
import { whenUserMust } from '../server/client';
import { allPersonal } from '../server/queries';
import { isAboutSession, readSessionAgain, session } from '../server/session';
import { clearOthersIntentions } from '../cart/intention';
import { addIntentions } from '../cart/queries';
import { outbox } from '../outbox/outbox';
import { wipeAnswersOf } from '../device/answers';
import { keepWayBack, type WayBack } from '../products/wayBack';
import { keepShopFacts } from '../settings/savedShop';
import { createQueryClient } from './queryClient';
import { ErrorPage } from './ErrorPage';
import { savesData } from '../browser/dataUse';
import { routeTree } from './routes';
import { parseSearch, stringifySearch } from './routeSearch';

/** Builds the app: its cache, its router, and what ties them to the session. */
export function createShop(history?: RouterHistory) {
  const queryClient = createQueryClient();
  keepShopFacts(queryClient);
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    defaultPreload: typeof window === 'undefined' || savesData() ? false : 'intent',
    defaultPreloadStaleTime: 0, // the query cache knows what is fresh
    scrollRestoration: true,
    scrollRestorationBehavior: 'instant', // only a place in the page, as About, is scrolled to smoothly
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ErrorPage,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  keepWayBack(router.history);
  outbox.connect({ cache: queryClient, load: () => import('./operations') });
  return { queryClient, router };
}

export type Shop = ReturnType<typeof createShop>;

/**
 * Follows the session, wherever it changes: here, in another tab, or because the server ended it.
 * @returns how to stop
 */
export function followSession({ queryClient, router }: Shop): () => void {
  let userId = session.get()?.id;
  if (hasEndedWithBrowser()) {
    clearOthersIntentions(undefined);
    void import('../device/endedSession').then(({ wipeEndedSession }) => wipeEndedSession()).catch(() => undefined);
  }
  if (userId !== undefined) addIntentions(queryClient, userId); // of a page that was left right after the login
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
    // a page that its user may no longer see sends its tab to the login
    listen(window, 'storage', (event: StorageEvent) => isAboutSession(event) && void router.invalidate()),
    listen(window, 'pageshow', (event: PageTransitionEvent) => event.persisted && checkRestored(router)),
    whenUserMust((what) => {
      const { href: redirect, pathname } = router.state.location;
      if (what === 'log_in') return void router.navigate({ to: '/login', search: { redirect } });
      if (Object.values<string>(dutyPages).includes(pathname)) return undefined;
      return void router.navigate({ to: dutyPages[what], search: { redirect }, state: { isDuty: true } });
    }),
  );
}

/** A page that the browser had put away, and brings back with "back", is empty until it knows who may see it. */
function checkRestored(router: Shop['router']): void {
  if (session.stored()?.id === session.get()?.id) return;
  document.body.hidden = true;
  readSessionAgain();
  void router.invalidate().finally(() => {
    document.body.hidden = false;
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Shop['router'];
  }
  interface HistoryState {
    /** What the cart page hands to checkout: a hint that is shown to its user until the server's cart is there. */
    checkout?: Schema<'Cart'> & { userId: string };
    /** Where Back of a product leads. */
    wayBack?: WayBack | undefined;
    /** The sentence that the login shows for the page that led to it. */
    said?: string;
    /** The user has a duty and cannot go on before this page's form is done. */
    isDuty?: boolean;
  }
}
