/** Which request is answered how, and why. What no route here matches goes to the network as if there were no worker. */
import type { RouteHandlerCallback, RouteMatchCallback, WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { matchPrecache } from 'workbox-precaching';
import { CacheFirst } from 'workbox-strategies';
import { keptPictures, keptWidth, pictureFile, pictureTypes } from '../src/shared/pictures';
import { shellPath } from '../src/shared/worker';
import { within } from './within';

/** After this the network counts as dead: no page and no picture must hang on it. */
const patienceMs = 3000;
/** The checkout is the server's own page: its content policy may let the payment provider in, which the shell's doesn't. */
const checkoutPatienceMs = 15_000;

/** A page's address is outside of the API and the folders, and not a file's by its name: nothing but files is there. */
export const isPage: RouteMatchCallback = ({ request, url, sameOrigin }) =>
  sameOrigin &&
  request.mode === 'navigate' &&
  !/^\/(?:api|assets|pictures)(?:\/|$)/.test(url.pathname) &&
  !url.pathname.slice(url.pathname.lastIndexOf('/')).includes('.');

/**
 * Pages come from the server, which draws them fresh. Without it the app's shell starts instead, at whatever address: the
 * app has the route table, and says itself what needs a connection or is not there.
 */
export const findPage: RouteHandlerCallback = async ({ request, url, event }) => {
  const asked = askServer(request, event as FetchEvent);
  (event as FetchEvent).waitUntil(asked.catch(() => undefined)); // the browser complains about an answer nobody takes
  const answer = await within(/^\/checkout\/?$/.test(url.pathname) ? checkoutPatienceMs : patienceMs, asked);
  if (answer) return answer;
  return (await matchPrecache(shellPath)) ?? asked;
};

/** @throws where no server of ours answered: no network, or a proxy whose server is gone */
async function askServer(request: Request, { preloadResponse }: FetchEvent): Promise<Response> {
  const answer = ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  if (answer.status >= 500) throw new Error(`the server answered ${answer.status}`);
  return answer; // also what a public network wants to be signed in to: the user must see it, and nothing is kept
}

/** Measured with the demo catalog: 10 to 60 kB each, so about 6 MB at most. */
const mostSeen = 150;

/** What the page fetches to keep it goes past the worker, and is not kept twice. */
export const isPicture: RouteMatchCallback = ({ request, url, sameOrigin }) =>
  sameOrigin && url.pathname.startsWith('/pictures/') && request.destination === 'image';

/**
 * Pictures have the hash of their content in their names, so one that is here is never asked for again. The page keeps a
 * small one of each product for good (src/web/offline/pictures.ts); larger ones are kept as they are seen, up to a
 * number, and go first when the device runs out of room. Of what is not here, the small one is shown.
 */
export const findPicture: RouteHandlerCallback = async ({ request, url, event }) => {
  const kept = await caches.open(keptPictures);
  const same = await kept.match(url.pathname);
  if (same) return same;
  const asked = seen.handle({ request, event });
  const answer = await within(patienceMs, asked);
  if (answer && holdsPicture(answer)) return answer;
  return (await findSmall(kept, url.pathname)) ?? answer ?? asked;
};

/** Not what a public network sends in its place. */
const holdsPicture = ({ ok, headers }: Response) => ok && headers.get('content-type')?.startsWith('image/') === true;
const picturesAlone: WorkboxPlugin = {
  cacheWillUpdate: async ({ response }) => (holdsPicture(response) ? response : null),
};

const seen = new CacheFirst({
  cacheName: 'pictures-seen',
  plugins: [picturesAlone, new ExpirationPlugin({ maxEntries: mostSeen, purgeOnQuotaError: true })],
});

/** The home page's own pictures come in no smaller width than the second. */
const smallWidths = [keptWidth, 640];

async function findSmall(kept: Cache, pathname: string): Promise<Response | undefined> {
  const base = pathname.replace(/-\d+\.\w+$/, '');
  for (const width of smallWidths)
    for (const type of pictureTypes) {
      const small = await kept.match(pictureFile(base, width, type));
      if (small) return small;
    }
  return undefined;
}
