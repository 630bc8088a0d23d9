/**
 * The payment provider's own script, which watches for fraud: only where the shop has a publishable key, and only on
 * /checkout. The content policy that lets it in belongs to the document that the server sends for /checkout, so the
 * checkout is then a document of its own: entering loads it from the server, and leaving loads the next page anew.
 * Paying does not depend on it, so errors are ignored.
 */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answer, api } from '../server/client';
import { session } from '../server/session';
import { reachability } from '../server/reachability';

const settingsQuery = queryOptions({
  queryKey: ['payment settings'],
  queryFn: async ({ signal }) => answer(api.GET('/public/payment/settings', { signal })),
  staleTime: Infinity,
  retry: false,
});

const asksAtMostMs = 2000;

/**
 * Before /checkout is shown: where this document may not load the script, the server's own takes its place.
 * @param path the address that is asked for
 * @returns when /checkout may be shown in this document
 */
export async function requireOwnDocument(cache: QueryClient, path: string): Promise<void> {
  if (isOwnDocument() || !reachability.isOnline()) return;
  const tooLong = new Promise<undefined>((resolve) => {
    setTimeout(resolve, asksAtMostMs, undefined);
  });
  const settings = await Promise.race([cache.ensureQueryData(settingsQuery).catch(() => undefined), tooLong]);
  if (!settings?.publishableKey) return;
  location.assign(path); // a redirect of the router's would take the cart out of the history
  await new Promise(() => undefined); // this document ends here
}

/** Loads the script while /checkout is shown, and takes it away with the document afterwards. */
export function useProviderScript(): void {
  const { data } = useQuery(settingsQuery);
  const key = data?.publishableKey;
  useEffect(() => {
    if (!key || !isOwnDocument()) return undefined;
    void import('@stripe/stripe-js/pure').then(({ loadStripe }) => loadStripe(key)).catch(() => undefined);
    return () => {
      if (session.get()) location.reload(); // a login in between keeps what was typed, in this document's memory
    };
  }, [key]);
}

/** Whether the browser loaded this document for /checkout, whatever the app has shown in it since. */
function isOwnDocument(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load !== undefined && /^\/checkout\/?$/.test(new URL(load.name).pathname);
}
