/** The worker's event listeners, besides its routes. */
import { matchPrecache } from 'workbox-precaching';
import { flushOutboxMessage, isCompleteMessage, outboxSyncTag, skipWaitingMessage } from '../src/shared/deviceNames';
import { type PageMessage, shellPath, type WorkerMessage } from '../src/shared/worker';

declare const self: ServiceWorkerGlobalScope;

/** With static routing, API calls don't start the worker; in other browsers no route matches them. */
export function leaveApiToNetwork(): void {
  self.addEventListener('install', (event) => {
    const { addRoutes } = event as Partial<StaticRouting>;
    if (addRoutes) {
      const route = { condition: { urlPattern: new URLPattern({ pathname: '/api/*' }) }, source: 'network' };
      event.waitUntil(addRoutes.call(event, route).catch(() => undefined)); // static routing is experimental
    }
  });
}
interface StaticRouting {
  addRoutes: (route: { condition: { urlPattern: URLPattern }; source: string }) => Promise<void>;
}

/** Navigation preload: the browser requests a page while the worker is still starting. */
export function preloadPages(): void {
  self.addEventListener('activate', (event) => {
    event.waitUntil(self.registration.navigationPreload?.enable() ?? Promise.resolve());
  });
}

export function answerMessages(): void {
  self.addEventListener('message', (event) => {
    const message = event.data as WorkerMessage | null;
    if (message?.type === skipWaitingMessage) void self.skipWaiting();
    if (message?.type === isCompleteMessage) event.waitUntil(reportIsComplete(event.ports[0]));
  });
}

/** Checking one file is enough: an installation is complete or fails, and browsers evict a cache as a whole. */
async function reportIsComplete(port: MessagePort | undefined): Promise<void> {
  port?.postMessage((await matchPrecache(shellPath)) !== undefined);
}

/** On Background Sync: notifies the pages, which have the session, to send the outbox. */
export function wakeOutbox(): void {
  self.addEventListener('sync', (event) => {
    const sync = event as ExtendableEvent & { tag: string };
    if (sync.tag === outboxSyncTag) sync.waitUntil(notifyPages({ type: flushOutboxMessage }));
  });
}

async function notifyPages(message: PageMessage): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- clients are pages of the same origin
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage(message);
}
