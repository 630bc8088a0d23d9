/** Static files: the built browser app, its service worker, and the pictures. */
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { workerPath } from '../../../shared/deviceNames';
import { shellPath } from '../../../shared/worker';
import { pagePolicy, workerPolicy } from '../core/headers';
import { toCached, sendCached } from '../cache/cachedResponse';

export const forever = 'public, max-age=31536000, immutable';

/** Product pictures. Their names are content hashes. */
export const servePictures = (app: FastifyInstance, dataDir: string) =>
  serveFolder(app, path.join(dataDir, 'pictures'), '/pictures/');

/**
 * The app's scripts and styles, compressed at build time, and the few files beside them.
 * @param others files that are served elsewhere
 */
export async function serveAppFiles(app: FastifyInstance, webFolder: string, others: readonly string[]): Promise<void> {
  await serveFolder(app, path.join(webFolder, 'assets'), '/assets/', true);
  await app.register(files, {
    root: webFolder,
    serve: true,
    wildcard: false, // one route per file
    globIgnore: ['index.html', 'sw.js', 'assets/**', '.vite/**', '**/*.br', '**/*.gz', ...others],
    index: false,
    decorateReply: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply) => {
      reply.setHeader('cache-control', 'no-cache');
      reply.setHeader('vary', 'accept-encoding');
    },
  });
}

/**
 * The service worker, revalidated on every visit, and the shell page that it serves offline.
 * @param isOn false serves a kill-switch worker that removes itself from every browser (SERVICE_WORKER=off)
 */
export async function serveWorker(app: FastifyInstance, webFolder: string, isOn: boolean): Promise<void> {
  const file = path.join(webFolder, 'sw.js');
  if (!existsSync(file)) return;
  const worker = toCached({
    status: 200,
    body: isOn ? await readFile(file, 'utf8') : killSwitchWorker,
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'content-security-policy': workerPolicy },
  });
  // exactly as built, since the worker checks its content hash
  const shell = toCached({
    status: 200,
    body: await readFile(path.join(webFolder, 'index.html'), 'utf8'),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(),
      'x-robots-tag': 'noindex',
    },
  });
  app.get(workerPath, async (request, reply) => sendCached(request, reply, worker));
  app.get(shellPath, async (request, reply) => sendCached(request, reply, shell));
}

/**
 * Activates immediately, intercepts no requests, deletes the caches (not unsent changes) and unregisters. It tells a page
 * that registers it again to undo that.
 */
const killSwitchWorker = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));
self.addEventListener('message', ({ ports }) => ports[0]?.postMessage(false));
async function leave() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
`;

const serveFolder = (app: FastifyInstance, root: string, prefix: string, preCompressed = false) =>
  app.register(files, {
    root,
    prefix,
    index: false,
    decorateReply: false,
    cacheControl: false,
    immutable: true,
    preCompressed,
    setHeaders: (reply) => {
      reply.setHeader('cache-control', forever);
      if (preCompressed) reply.setHeader('vary', 'accept-encoding');
    },
  });
