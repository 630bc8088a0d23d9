import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { accessToken } from '../api/accessToken';
import { whenDutyIsOwed, whenSessionExpires } from '../api/client';
import { dutyPages } from '../api/duties';
import { createQueryClient, forgetPersonalAnswers } from '../api/queryClient';
import { isAboutSession, readSessionAgain, session } from '../api/session';
import { forgetIntentions } from '../cart/intention';
import { keepCartAnswers } from '../cart/queries';
import { keepShopFacts } from '../offline/savedShop';
import { wipeAnswersOf } from '../offline/wipe';
import { ErrorPage } from './ErrorPage';
import { savesData } from './preloading';
import { routeTree } from './routes';
import { parseSearch, stringifySearch } from './search';

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
  keepCartAnswers(queryClient);
  return { queryClient, router };
}

export type Shop = ReturnType<typeof createShop>;

/**
 * Follows the session, wherever it changes: here, in another tab, or because the server ended it.
 * @returns how to stop
 */
export function followSession({ queryClient, router }: Shop): () => void {
  let userId = session.get()?.id;
  const stopListening = session.subscribe(() => {
    const [before, next] = [userId, session.get()?.id];
    if (next === before) return;
    userId = next;
    accessToken.forget();
    forgetIntentions();
    forgetPersonalAnswers(queryClient);
    if (before !== undefined) void wipeAnswersOf(before).catch(() => undefined);
  });
  // a page that its user may no longer see sends its tab to the login
  const onStorage = (event: StorageEvent) => {
    if (isAboutSession(event)) void router.invalidate();
  };
  window.addEventListener('storage', onStorage);
  // and so does one that the browser had put away, and brings back with "back": it is empty until it knows
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    const before = session.get()?.id;
    if (!persisted || session.stored()?.id === before) return;
    document.body.hidden = true;
    readSessionAgain();
    void router.invalidate().finally(() => {
      document.body.hidden = false;
    });
  };
  window.addEventListener('pageshow', onPageShow);
  whenSessionExpires(() => {
    const { href } = router.state.location;
    void router.navigate({ to: '/login', search: { redirect: href } });
  });
  whenDutyIsOwed((duty) => {
    const { href, pathname } = router.state.location;
    if (Object.values<string>(dutyPages).includes(pathname)) return;
    void router.navigate({ to: dutyPages[duty], search: { redirect: href }, state: { isDuty: true } });
  });
  return () => {
    stopListening();
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onPageShow);
  };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Shop['router'];
  }
  interface HistoryState {
    /** What the cart page hands to checkout: a hint that is shown to its user until the server's cart is there. */
    checkout?: Schema<'Cart'> & { userId: string };
    /** What the page that led to the login has to say there. */
    said?: string;
    /** Whoever comes so cannot go on before the page's form is done. */
    isDuty?: boolean;
  }
}
