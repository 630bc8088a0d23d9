import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveStock } from '../../support/catalog';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let opened: Awaited<ReturnType<TestShop['openProcess']>>;
let origin: string;
beforeAll(async () => {
  shop = await openShop();
  opened = await shop.openProcess();
  await opened.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(opened.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await opened.close();
  await shop.close();
});

async function ask(path: string, headers: Record<string, string> = {}) {
  const [answer] = (await once(get(`${origin}/api${path}`, { headers }), 'response')) as [IncomingMessage];
  const { date: _date, ...others } = answer.headers;
  return { status: answer.statusCode, headers: others, body: await text(answer) };
}

test('a cached list equals a fresh one byte for byte, even where the framework answers it', async () => {
  for (let each = 0; each < 4; each++) await shop.stock();
  const first = await ask('/public/products?size=9');
  const again = await ask('/public/products?size=9');
  expect(first.status).toBe(200);
  expect(again).toEqual(first);
  const ofFramework = await ask('/public/products?size=9', { cookie: 'theme=dark' });
  expect(ofFramework).toEqual(again);
  const tagged = { 'if-none-match': String(again.headers['etag']) };
  expect(await ask('/public/products?size=9', tagged)).toMatchObject({ status: 304, body: '' });
  expect(await ask('/public/products?size=9', { 'accept-encoding': 'br' })).toMatchObject({
    headers: { 'content-encoding': 'br', vary: 'accept-encoding' },
  });
});

test('a cached list bypasses the framework, whoever caused it to be cached', async () => {
  await opened.app.inject({ method: 'GET', url: '/api/public/products?size=13&page=0' });
  await ask('/public/products?size=13'); // the same list in another spelling: from now on this one is known too
  expect(await countHandled(() => ask('/public/products?size=13'))).toBe(0);
  expect(await countHandled(() => ask('/public/products?size=13', { cookie: 'theme=dark' }))).toBe(1);
});

/** How many calls the framework handles meanwhile. */
async function countHandled(work: () => Promise<unknown>): Promise<number> {
  const channel = 'tracing:fastify.request.handler:start';
  let handled = 0;
  const count = () => void handled++;
  subscribe(channel, count);
  try {
    await work();
  } finally {
    unsubscribe(channel, count);
  }
  return handled;
}

test('a sale shows in the next response of a cached list', async () => {
  const { id, categoryName } = await stockOfOwnCategory();
  const address = `/public/products/category/${categoryName}`;
  await ask(address);
  expect((await ask(address)).body).toContain('"quantity":50');
  await moveStock(shop.db, id, -3);
  await expect.poll(async () => (await ask(address)).body).toContain('"quantity":47');
});

test('a public cached response is not given with a bad token or to a request with two hosts', async () => {
  const address = '/public/products?size=11';
  await ask(address);
  expect(await ask(address)).toMatchObject({ status: 200 });
  expect(await ask(address, { authorization: 'Bearer nonsense' })).toMatchObject({ status: 401 });
  const twice = get({ ...urlParts(address), headers: ['Host', 'localhost', 'Host', 'other.test'] });
  const [answer] = (await once(twice, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(400);
});

test('the log has one line for a cached response, with its route and no address', async () => {
  await ask('/public/products?size=12');
  const before = shop.logLines.length;
  await ask('/public/products?size=12');
  const written = () => shop.logLines.slice(before).filter((line) => line.includes('/api/public/products'));
  await expect.poll(written).toHaveLength(1);
  const line = JSON.parse(written()[0] ?? '{}') as Record<string, unknown>;
  expect(Object.keys(line)).toEqual(['level', 'time', 'reqId', 'method', 'route', 'status', 'ms']);
  expect(line).toMatchObject({ method: 'GET', route: '/api/public/products', status: 200 });
});

const urlParts = (address: string) => {
  const { hostname, port, pathname, search } = new URL(`${origin}/api${address}`);
  return { hostname, port, path: pathname + search };
};

async function stockOfOwnCategory() {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, quantity: 50 });
  return { id, categoryName: category.name };
}
