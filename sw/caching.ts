/** The routes of the worker. A request that no route matches goes to the network as if there were no worker. */
import type { RouteHandlerCallback, RouteMatchCallback, WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { matchPrecache } from 'workbox-precaching';
import { CacheFirst } from 'workbox-strategies';
import { keptPicturesCache, seenPicturesCache } from '../src/shared/deviceNames';
import { offlineWidth, pictureFile, pictureTypes } from '../src/shared/pictures';
import { shellPath } from '../src/shared/worker';
import { within } from './within';

/** After this time the network counts as dead, so that no page and no picture waits for it. */
const patienceMs = 3000;
/** The checkout comes from the server: its content policy may allow the payment provider, the shell's does not. */
const checkoutPatienceMs = 15_000;

/** The URL of a page is outside of the API and the folders of files, and has no file ending. */
export const isPage: RouteMatchCallback = ({ request, url, sameOrigin }) =>
  sameOrigin &&
  request.mode === 'navigate' &&
  !/^\/(?:api|assets|pictures)(?:\/|$)/.test(url.pathname) &&
  !url.pathname.slice(url.pathname.lastIndexOf('/')).includes('.');

/**
 * Pages come from the server, which renders them. Without the server the shell starts the app at any URL: the app has
 * the route table, and shows which page needs a connection or does not exist.
 */
export const findPage: RouteHandlerCallback = async ({ request, url, event }) => {
  const asked = askServer(request, event as FetchEvent);
  (event as FetchEvent).waitUntil(asked.catch(() => undefined)); // browsers report a preloaded answer that is not used
  const answer = await within(/^\/checkout\/?$/.test(url.pathname) ? checkoutPatienceMs : patienceMs, asked);
  if (answer) return answer;
  return (await matchPrecache(shellPath)) ?? asked;
};

/** @throws Error when the shop's server did not answer: no network, or a proxy whose server is gone */
async function askServer(request: Request, { preloadResponse }: FetchEvent): Promise<Response> {
  const answer = ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  // Firefox answers with an error where other browsers reject a page that they asked for in advance
  if (answer.type === 'error' || answer.status >= 500) throw new Error(`the server answered ${answer.status}`);
  return answer; // also the login page of a public network: the user must see it, and it is not kept
}

/** Measured with the demo catalog: 10 to 60 kB each, so about 6 MB at most. */
const mostSeen = 150;

/** A picture that the page fetches in order to keep it goes past the worker, so that it is not kept twice. */
export const isPicture: RouteMatchCallback = ({ request, url, sameOrigin }) =>
  sameOrigin && url.pathname.startsWith('/pictures/') && request.destination === 'image';

/**
 * Pictures have the hash of their content in their names, so a kept one is never asked for again. The page keeps a
 * small picture of each product for good (src/web/device/pictures.ts). Larger ones that were seen are kept up to a
 * number, and go first when the device runs out of room; instead of a missing one, the small one is shown.
 */
export const findPicture: RouteHandlerCallback = async ({ request, url, event }) => {
  const kept = await caches.open(keptPicturesCache);
  const same = await kept.match(url.pathname);
  if (same) return same;
  const asked = seen.handle({ request, event });
  const answer = await within(patienceMs, asked);
  if (answer && holdsPicture(answer)) return answer;
  return (await findSmall(kept, url.pathname)) ?? answer ?? asked;
};

/** Whether the answer is a picture, and not the login page of a public network. */
const holdsPicture = ({ ok, headers }: Response) => ok && headers.get('content-type')?.startsWith('image/') === true;
const picturesAlone: WorkboxPlugin = {
  cacheWillUpdate: async ({ response }) => (holdsPicture(response) ? response : null),
};

const seen = new CacheFirst({
  cacheName: seenPicturesCache,
  plugins: [picturesAlone, new ExpirationPlugin({ maxEntries: mostSeen, purgeOnQuotaError: true })],
});

/** The home page's own pictures have no smaller width than the second. */
const smallWidths = [offlineWidth, 640];

async function findSmall(kept: Cache, pathname: string): Promise<Response | undefined> {
  const base = pathname.replace(/-\d+\.\w+$/, '');
  for (const width of smallWidths)
    for (const type of pictureTypes) {
      const small = await kept.match(pictureFile(base, width, type));
      if (small) return small;
    }
  return undefined;
}
