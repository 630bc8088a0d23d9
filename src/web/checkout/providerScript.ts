/**
 * Loads the payment provider's own script, which watches for fraud: only if the shop has a publishable key, and only on
 * /checkout. The content security policy that allows it belongs to the document that the server sends for /checkout, so
 * the checkout is then a separate document: entering it loads it from the server, and leaving it loads the next page.
 * Payment does not depend on the script, so errors are ignored.
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

const settingsTimeoutMs = 2000;

/**
 * Call before showing /checkout: if this document may not load the script, loads the document from the server.
 * @param path the requested URL
 * @returns when /checkout may be shown in this document
 */
export async function requireOwnDocument(cache: QueryClient, path: string): Promise<void> {
  if (isOwnDocument() || !reachability.isOnline()) return;
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(resolve, settingsTimeoutMs, undefined);
  });
  const settings = await Promise.race([cache.ensureQueryData(settingsQuery).catch(() => undefined), timeout]);
  if (!settings?.publishableKey) return;
  location.assign(path); // a router redirect would remove the cart from the history
  await new Promise(() => undefined); // never resolves: the browser is leaving this document
}

/** Loads the script while /checkout is shown. Leaving reloads the document to remove it. */
export function useProviderScript(): void {
  const { data } = useQuery(settingsQuery);
  const key = data?.publishableKey;
  useEffect(() => {
    if (!key || !isOwnDocument()) return undefined;
    void import('@stripe/stripe-js/pure').then(({ loadStripe }) => loadStripe(key)).catch(() => undefined);
    return () => {
      if (session.get()) location.reload(); // not after a sign-out: the login in between keeps the typed text in this document's memory
    };
  }, [key]);
}

/** Whether the browser loaded this document for /checkout, regardless of what the app has shown in it since. */
function isOwnDocument(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load !== undefined && /^\/checkout\/?$/.test(new URL(load.name).pathname);
}
