import { setImmediate as nextTurn } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/server/core/config';
import { cartItems } from '../../../src/server/db/schema/tables';
import { checkReadiness } from '../../../src/server/http/core/health';
import { openPrivatePort } from '../../../src/server/metrics/metricsPort';
import { buy, checkBooks, openOrder } from '../../support/buying';
import { countQueries } from '../../support/catalog';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { findFreePort } from '../../support/freePort';

/** What an operator sees of a running shop, and how it sheds load. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop({ isMeasured: true });
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

async function withPrivatePort(work: (url: string) => Promise<void>): Promise<void> {
  const { metrics } = shop;
  if (!metrics) throw new Error('this shop is not measured');
  const port = await findFreePort();
  const close = await openPrivatePort({ port, metrics, readiness: () => checkReadiness(shop) });
  try {
    await work(`http://127.0.0.1:${port}`);
  } finally {
    await close();
  }
}

/** The value of one line in Prometheus' format. */
const valueOf = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.split(' ')
      .at(-1),
  );

const addOne = (person: Person, productId: string) =>
  shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId, quantity: 1 } });

test('the private port gives Prometheus requests, connections, jobs, holds, payments, mails and event loop lag', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 2);
  expect((await shop.call('getCart', { path: { userId: order.userId } })).status).toBe(401);
  await withPrivatePort(async (url) => {
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    expect(valueOf(text, 'shop_request_duration_seconds_count{operation="placeOrder",status="201"}')).toBe(1);
    expect(valueOf(text, 'shop_request_duration_seconds_count{operation="getCart",status="401"}')).toBe(1);
    expect(valueOf(text, 'shop_open_orders')).toBe(1);
    expect(valueOf(text, 'shop_held_units')).toBe(2);
    expect(valueOf(text, 'shop_payments_waiting{kind="session"}')).toBe(1);
    expect(valueOf(text, 'shop_payments_waiting{kind="overdue_session"}')).toBe(0);
    expect(valueOf(text, 'shop_database_up')).toBe(1);
    for (const line of [
      'shop_database_connections{state="waiting"}',
      'shop_jobs{state="waiting"}',
      'shop_jobs{state="failed"}',
      'shop_mails{state="waiting"}',
      'shop_alarms_open',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect([line, valueOf(text, line)]).toEqual([line, expect.any(Number)]);
    // names and states only: no ids, addresses or paths of users
    const labels = [...text.matchAll(/="([^"]*)"/g)].map(([, value]) => value);
    expect(labels.filter((label) => /[0-9a-f]{8}-|@|\?/.test(label ?? ''))).toEqual([]);
    for (const who of [order.userId, order.as.email, order.orderNumber]) expect(labels.join(' ')).not.toContain(who);
  });
  await buy(shop, order);
});

test('the private port says whether the shop can work, and has nothing else', async () => {
  await withPrivatePort(async (url) => {
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { isReady: true, database: 'answers', notices: 'connected' },
    ]);
    for (const path of ['/', '/metrics/', '/metrics?x=1', '/api/public/categories'])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});

test('the shop’s own port has no metrics, and without METRICS_PORT there are none', async () => {
  expect((await shop.app.inject('/metrics')).statusCode).toBe(404);
  expect(readConfig({}).metricsPort).toBeUndefined();
  expect(readConfig({ METRICS_PORT: '9100' }).metricsPort).toBe(9100);
  expect(() => readConfig({ METRICS_PORT: 'yes' })).toThrow(ConfigError);
  await withPrivatePort(async (url) => {
    const port = Number(new URL(url).port);
    const again = openPrivatePort({ port, metrics: shop.metrics!, readiness: () => checkReadiness(shop) });
    await expect(again).rejects.toThrow(/^METRICS_PORT: can't listen on/);
  });
});

test('an overloaded shop rejects some calls immediately, finishes the started ones, and soon recovers', async () => {
  const begun = await openOrder(shop);
  await shop.control('pay', { session: begun.sessionId });
  const { id: productId } = await shop.stock({ quantity: 99 });
  const people = await Promise.all(Array.from({ length: 12 }, () => shop.signIn()));
  const warden = new Client(shop.direct);
  await warden.connect();
  await warden.query('begin');
  await warden.query('select from carts for update'); // until it is released all calls wait, and all connections are in use
  const storm: Promise<{ status: number; headers: Record<string, unknown> }>[] = [];
  for (let each = 0; each < 200; each++) {
    storm.push(addOne(people[each % people.length] as Person, productId));
    if (each % 20 === 19) await nextTurn();
  }
  await expect.poll(() => shop.pool.turns.waiting).toBeGreaterThanOrEqual(100);
  const query = { session_id: begun.sessionId, user_id: begun.userId, cart_id: begun.cartId };
  const capture = shop.call('capturePayment', { as: begun.as, query });
  const refused = await addOne(people[0] as Person, productId);
  expect(shop.pool.turns.waiting).toBeGreaterThan(0); // immediately: others still wait for their turn
  expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
  await warden.query('rollback');
  await warden.end();

  expect((await capture).status).toBe(200);
  const answers = await Promise.all(storm);
  const done = answers.filter(({ status }) => status < 300).length;
  const shed = answers.filter(({ status, headers }) => status === 503 && headers['retry-after'] !== undefined).length;
  expect([done + shed, done >= 10, shed >= 50]).toEqual([200, true, true]); // one that waited too long is rejected too
  const inCarts = await shop.db.select().from(cartItems).where(eq(cartItems.productId, productId));
  expect(inCarts.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(done);
  expect((await addOne(people[0] as Person, productId)).status).toBeLessThan(300);
});

test('many requests leak no connection, timer or file', async () => {
  const person = await shop.signIn();
  const { id: productId } = await shop.stock({ quantity: 99 });
  const path = { userId: person.userId };
  const work = async (rounds: number) => {
    for (let round = 0; round < rounds; round++)
      await Promise.all([
        shop.app.inject('/api/public/products'),
        shop.app.inject(`/api/public/products/${productId}`),
        shop.app.inject('/api/nothing'),
        shop.call('getCart', { as: person, path }),
        ...(round % 10 === 0 ? [shop.call('clearCart', { as: person, path }), addOne(person, productId)] : []),
      ]);
    await nextTurn();
  };
  const handles = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate').length;
  await work(20);
  const before = { handles: handles(), connections: shop.pool.totalCount };
  await work(150);
  await expect.poll(() => handles()).toBeLessThanOrEqual(before.handles + 2);
  expect(shop.pool.totalCount).toBeLessThanOrEqual(Math.max(before.connections, 10));
  // the shop's own timers borrow one now and then, and return it
  await expect.poll(() => [shop.pool.turns.waiting, shop.pool.totalCount - shop.pool.idleCount]).toEqual([0, 0]);
});

test('parallel readiness checks share one query to the database', async () => {
  const crowd = () => Promise.all(Array.from({ length: 50 }, () => shop.app.inject('/readyz')));
  const isQuestion = (text: string) => text === 'select 1';
  const countQuestions = (work: () => Promise<void>) => countQueries(shop.pool, work, isQuestion);
  const asked = await countQuestions(async () => {
    expect(new Set((await crowd()).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(5); // on a busy machine the first response may be there before the last of them asks
  expect(await countQuestions(async () => void (await shop.app.inject('/readyz')))).toBe(1);
});
