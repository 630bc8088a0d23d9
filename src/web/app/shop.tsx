import { ChakraProvider } from '@chakra-ui/react/styled-system';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { accessToken } from '../api/accessToken';
import { whenSessionExpires } from '../api/client';
import { createQueryClient, forgetPersonalAnswers } from '../api/queryClient';
import { session } from '../api/session';
import { keepCartAnswers } from '../cart/queries';
import { ErrorPage } from './ErrorPage';
import { routeTree } from './routes';
import { parseSearch, stringifySearch } from './search';
import { system } from './theme';

/** Builds the app: its cache, its router, and what ties them to the session. */
export function createShop(history?: RouterHistory) {
  const queryClient = createQueryClient();
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0, // the query cache knows what is fresh
    scrollRestoration: true,
    scrollRestorationBehavior: 'instant', // only a place in the page, as About, is scrolled to smoothly
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ErrorPage,
    Wrap: ({ children }) => (
      <QueryClientProvider client={queryClient}>
        <ChakraProvider value={system}>{children}</ChakraProvider>
      </QueryClientProvider>
    ),
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
    const next = session.get()?.id;
    if (next === userId) return;
    userId = next;
    accessToken.forget();
    forgetPersonalAnswers(queryClient);
  });
  // a page that its user may no longer see sends its tab to the login
  const onStorage = () => void router.invalidate();
  window.addEventListener('storage', onStorage);
  whenSessionExpires(() => {
    const { href } = router.state.location;
    void router.navigate({ to: '/login', search: { redirect: href } });
  });
  return () => {
    stopListening();
    window.removeEventListener('storage', onStorage);
  };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Shop['router'];
  }
  interface HistoryState {
    /** What the cart page hands to checkout: a hint that is shown until the server's cart is there. */
    checkout?: Schema<'Cart'>;
    /** Fills in the login after a registration. */
    email?: string;
  }
}
