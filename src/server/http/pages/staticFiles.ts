/** Files: what the build made of the browser app, its service worker, and the pictures. */
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

/** The products' pictures, whose names are hashes of their content. */
export const servePictures = (app: FastifyInstance, dataDir: string) =>
  serveFolder(app, path.join(dataDir, 'pictures'), '/pictures/');

/** The app's scripts and styles, compressed when it was built, and the few files beside them. */
export async function serveAppFiles(app: FastifyInstance, webFolder: string): Promise<void> {
  await serveFolder(app, path.join(webFolder, 'assets'), '/assets/', true);
  await app.register(files, {
    root: webFolder,
    serve: true,
    wildcard: false, // a route for each of them
    globIgnore: ['index.html', 'sw.js', 'assets/**', '.vite/**', '**/*.br', '**/*.gz'],
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
 * The service worker, asked for anew at every visit, and the page that it starts the app from without a connection.
 * @param isOn false sends one in its place that ends it in every browser that has it (SERVICE_WORKER=off)
 */
export async function serveWorker(app: FastifyInstance, webFolder: string, isOn: boolean): Promise<void> {
  const file = path.join(webFolder, 'sw.js');
  if (!existsSync(file)) return;
  const worker = toCached({
    status: 200,
    body: isOn ? await readFile(file, 'utf8') : killSwitchWorker,
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'content-security-policy': workerPolicy },
  });
  // as the build left it, since the worker knows it by the hash of its content
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
 * Takes over at once, lets every request pass, empties what the worker kept (not what is unsent), and is gone. A page that
 * registers it again is told to undo that.
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
