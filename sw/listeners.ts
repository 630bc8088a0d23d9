/** What the worker does besides answering requests. */
import { matchPrecache } from 'workbox-precaching';
import { outboxSyncTag, type PageMessage, shellPath, type WorkerMessage } from '../src/shared/worker';

declare const self: ServiceWorkerGlobalScope;

/** Where the browser can, calls of the API don't even wake the worker; elsewhere no route matches them. */
export function leaveApiToNetwork(): void {
  self.addEventListener('install', (event) => {
    const { addRoutes } = event as Partial<StaticRouting>;
    if (addRoutes) {
      const route = { condition: { urlPattern: new URLPattern({ pathname: '/api/*' }) }, source: 'network' };
      event.waitUntil(addRoutes.call(event, route).catch(() => undefined)); // an experiment of the browser's still
    }
  });
}
interface StaticRouting {
  addRoutes: (route: { condition: { urlPattern: URLPattern }; source: string }) => Promise<void>;
}

/** A page is asked for while the worker is still starting, so that it costs no time. */
export function preloadPages(): void {
  self.addEventListener('activate', (event) => {
    event.waitUntil(self.registration.navigationPreload?.enable() ?? Promise.resolve());
  });
}

export function answerMessages(): void {
  self.addEventListener('message', (event) => {
    const message = event.data as WorkerMessage | null;
    if (message?.type === 'SKIP_WAITING') void self.skipWaiting();
    if (message?.type === 'IS_COMPLETE') event.waitUntil(sayWhetherComplete(event.ports[0]));
  });
}

/** All files came with the installation, or it failed; what the browser takes away later, it takes away altogether. */
async function sayWhetherComplete(port: MessagePort | undefined): Promise<void> {
  port?.postMessage((await matchPrecache(shellPath)) !== undefined);
}

/** The browser thinks that there is a connection again (Background Sync): the pages send what waits, having the session. */
export function wakeOutbox(): void {
  self.addEventListener('sync', (event) => {
    const sync = event as ExtendableEvent & { tag: string };
    if (sync.tag === outboxSyncTag) sync.waitUntil(tellPages({ type: 'FLUSH_OUTBOX' }));
  });
}

async function tellPages(message: PageMessage): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none but pages of its own origin
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage(message);
}
