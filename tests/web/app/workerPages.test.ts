// @vitest-environment node
/** What the service worker responds to page requests. Rule: docs/rules/offline.md, What is on the device */
import { expect, test, vi } from 'vitest';

vi.mock('workbox-precaching', () => ({ matchPrecache: async () => new Response('the shell') }));
Object.assign(globalThis, { self: globalThis, __WB_DISABLE_DEV_LOGS: true }); // as in a worker
type Asked = { request: Request; url: URL; event: object };
const worker = '../../../sw/caching'; // in a project with other types: those of workers
const { findPage } = (await import(worker)) as { findPage: (asked: Asked) => Promise<Response> };

/** Opens a page whose response the browser has requested in advance. */
async function open(preloaded: () => Promise<Response>, path = '/cart') {
  const url = new URL(`http://localhost:3000${path}`);
  const event = { preloadResponse: preloaded(), waitUntil: () => undefined };
  const answer = await findPage({ request: new Request(url), url, event });
  return answer.text();
}

test.each([
  ['an error in the place of an answer, as Firefox gives it', async () => Response.error()],
  ['a rejection, as other browsers give it', () => Promise.reject(new TypeError('no network'))],
  ['an answer of a proxy whose server is gone', async () => new Response('bad gateway', { status: 502 })],
])('without the shop the shell opens the page: %s', async (_, preloaded) => {
  expect(await open(preloaded)).toBe('the shell');
});

test('the shop’s own page comes when it is reachable', async () => {
  expect(await open(async () => new Response('the cart'))).toBe('the cart');
});
