import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/server/core/config';
import { serveAppFiles, serveWorker } from '../../../src/server/http/pages/staticFiles';
import { shellPath } from '../../../src/shared/worker';

/** How the server delivers the service worker, and how it turns it off. The built app here is four files. */
let folder: string;
const apps: FastifyInstance[] = [];
const shell = '<!doctype html><!--head--><title>The shop</title><div id="root"><!--app--></div>';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'shop-worker-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), shell);
  await writeFile(path.join(folder, 'sw.js'), 'self.addEventListener("fetch", answer)');
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(isOn: boolean) {
  const app = fastify();
  apps.push(app);
  await serveAppFiles(app, folder, []);
  await serveWorker(app, folder, isOn);
  return (url: string) => app.inject({ url });
}

test('the worker is revalidated at every visit, and may only make requests to the shop', async () => {
  const answer = await (await open(true))('/sw.js');
  expect([answer.statusCode, answer.body]).toEqual([200, 'self.addEventListener("fetch", answer)']);
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; connect-src 'self';/),
  });
});

test('the page that the worker stores is the build’s, byte for byte, and not indexed', async () => {
  const answer = await (await open(true))(shellPath);
  expect([answer.statusCode, answer.body]).toEqual([200, shell]);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' });
  expect(answer.headers['content-security-policy']).toContain("script-src 'self';");
});

test('turned off, it is replaced by a kill-switch worker that empties its caches, never the outbox, and unregisters itself', async () => {
  const { body, statusCode, headers } = await (await open(false))('/sw.js');
  expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
  expect(body).toContain('registration.unregister()');
  expect(body).toContain('caches.delete');
  expect(body).not.toMatch(/indexedDB|"fetch"|'fetch'/);
});

test('SERVICE_WORKER=off turns it off; by default it is on', () => {
  expect(readConfig({}).serviceWorker).toBe(true);
  expect(readConfig({ SERVICE_WORKER: 'off' }).serviceWorker).toBe(false);
  expect(() => readConfig({ SERVICE_WORKER: 'perhaps' })).toThrow('SERVICE_WORKER must be on or off');
});
