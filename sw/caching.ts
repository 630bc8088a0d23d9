/** The worker's routes. Requests that match no route go to the network as if there were no worker. */
import type { RouteHandlerCallback, RouteMatchCallback, WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { matchPrecache } from 'workbox-precaching';
import { CacheFirst } from 'workbox-strategies';
import { keptPicturesCache, seenPicturesCache } from '../src/shared/deviceNames';
import { offlineWidth, pictureFile, pictureTypes } from '../src/shared/pictures';
import { shellPath } from '../src/shared/worker';
import { within } from './within';

/** After this time the network counts as down; no page or picture waits longer. */
const timeoutMs = 3000;
/** Checkout waits longer for the server: its content policy may allow the payment provider, the shell's doesn't. */
const checkoutTimeoutMs = 15_000;

/** A page's URL is outside the API and the file folders, and has no file extension. */
export const isPage: RouteMatchCallback = ({ request, url, sameOrigin }) =>
  sameOrigin &&
  request.mode === 'navigate' &&
  !/^\/(?:api|assets|pictures)(?:\/|$)/.test(url.pathname) &&
  !url.pathname.slice(url.pathname.lastIndexOf('/')).includes('.');

/**
 * Pages come from the server, which renders them. Without it, the shell starts the app at any URL: the app has the
 * route table and shows that a page needs a connection or doesn't exist.
 */
export const findPage: RouteHandlerCallback = async ({ request, url, event }) => {
  const pending = fetchPage(request, event as FetchEvent);
  (event as FetchEvent).waitUntil(pending.catch(() => undefined)); // browsers warn about an unused preload response
  const answer = await within(/^\/checkout\/?$/.test(url.pathname) ? checkoutTimeoutMs : timeoutMs, pending);
  if (answer) return answer;
  return (await matchPrecache(shellPath)) ?? pending;
};

/** @throws Error when the shop's server didn't respond: offline, or a proxy whose server is down */
async function fetchPage(request: Request, { preloadResponse }: FetchEvent): Promise<Response> {
  const answer = ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  // Firefox returns an error response for a failed navigation preload; other browsers reject
  if (answer.type === 'error' || answer.status >= 500) throw new Error(`the server answered ${answer.status}`);
  return answer; // may be a captive portal's login page: the user must see it, and it is not cached
}

/** Measured with the demo catalog: 10 to 60 kB each, so at most about 6 MB. */
const maxSeen = 150;

/**
 * Matches <img> requests only: pictures that the page fetches to save them bypass the worker, so they aren't stored
 * twice.
 */
export const isPicture: RouteMatchCallback = ({ request, url, sameOrigin }) =>
  sameOrigin && url.pathname.startsWith('/pictures/') && request.destination === 'image';

/**
 * Picture names contain a hash of their content, so a cached picture is never revalidated. The page saves a small
 * picture of each product permanently (src/web/device/pictures.ts). Larger ones that were viewed are cached up to a
 * limit, and evicted first when storage runs out; then the small one is shown instead.
 */
export const findPicture: RouteHandlerCallback = async ({ request, url, event }) => {
  const saved = await caches.open(keptPicturesCache);
  const same = await saved.match(url.pathname);
  if (same) return same;
  const pending = seen.handle({ request, event });
  const answer = await within(timeoutMs, pending);
  if (answer && isPictureResponse(answer)) return answer;
  return (await findSmall(saved, url.pathname)) ?? answer ?? pending;
};

/** Whether the response is a picture, not a captive portal's login page. */
const isPictureResponse = ({ ok, headers }: Response) =>
  ok && headers.get('content-type')?.startsWith('image/') === true;
const onlyPictures: WorkboxPlugin = {
  cacheWillUpdate: async ({ response }) => (isPictureResponse(response) ? response : null),
};

const seen = new CacheFirst({
  cacheName: seenPicturesCache,
  plugins: [onlyPictures, new ExpirationPlugin({ maxEntries: maxSeen, purgeOnQuotaError: true })],
});

/** The home page's own pictures have no width below the second one. */
const smallWidths = [offlineWidth, 640];

async function findSmall(saved: Cache, pathname: string): Promise<Response | undefined> {
  const base = pathname.replace(/-\d+\.\w+$/, '');
  for (const width of smallWidths)
    for (const type of pictureTypes) {
      const small = await saved.match(pictureFile(base, width, type));
      if (small) return small;
    }
  return undefined;
}
