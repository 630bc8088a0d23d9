/** Per-caller limits, so that others are served. Rule: docs/rules/running.md, Rate limits */
import fastify, { type FastifyInstance } from 'fastify';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rateLimitOf, createRateLimits } from '../../../src/server/http/limits/rateLimits';
import { rateLimits, queuedEndings, inFlight } from '../../../src/server/http/limits/limitTable';
import { operations } from '../../../src/server/http/contract/operations';
import { answerWithProblems } from '../../../src/server/http/core/problems';
import type { OperationId } from '../../../src/shared/contract';
import { newCustomer, refreshed } from '../../support/auth';
import { capture, openOrder } from '../../support/buying';
import { countQueries } from '../../support/catalog';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const many = <T>(times: number, work: (each: number) => T) => Array.from({ length: times }, (_, each) => work(each));
const addOne = (as: Person, productId: string) =>
  shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId, quantity: 1 } });

test('every operation counts toward an existing rate limit', () => {
  const named = [...operations.values()].map(rateLimitOf);
  expect(named.filter((name) => !Object.hasOwn(rateLimits, name))).toEqual([]);
  const counted = (id: OperationId) => rateLimitOf(operations.get(id)!);
  expect([counted('getCart'), counted('addCartItem'), counted('searchProducts'), counted('exportOrders')]).toEqual([
    'read',
    'change',
    'search',
    'export',
  ]);
});

describe('while one account holds its own cart locked and changes it over 130 connections', () => {
  let mallory: Person;
  let others: Person[];
  let productId: string;
  beforeEach(async () => {
    mallory = await shop.signIn(); // a new line locks the cart
    others = await Promise.all(many(20, () => shop.signIn()));
    ({ id: productId } = await shop.stock({ quantity: 99 }));
  });

  async function whileLocked(work: () => Promise<void>): Promise<void> {
    const warden = new Client(shop.direct);
    await warden.connect();
    try {
      await warden.query('begin');
      await warden.query('select from carts where id = $1 for update', [mallory.cartId]);
      await work();
    } finally {
      await warden.end(); // which also releases the lock
    }
  }

  test('other people’s carts are served, and excess calls get a 429', async () => {
    const storm: ReturnType<typeof addOne>[] = [];
    await whileLocked(async () => {
      storm.push(...many(130, () => addOne(mallory, productId)));
      const served = await Promise.all(others.map((person) => addOne(person, productId)));
      expect(served.map(({ status }) => status)).toEqual(many(20, () => 200));
    });
    const refused = (await Promise.all(storm)).filter(({ status }) => status === 429);
    expect(refused).toHaveLength(130 - inFlight.ofUser);
    expect(refused[0]).toMatchObject({ code: 'too_many_requests' });
    expect(refused[0]?.headers['retry-after']).toBe('1');
  });

  test('its own calls have one connection, and wait for each other in the process', async () => {
    await whileLocked(async () => {
      const storm = many(20, () => addOne(mallory, productId));
      await expect.poll(() => shop.pool.turns.waiting).toBe(19);
      await expect.poll(() => shop.pool.totalCount - shop.pool.idleCount).toBe(1);
      void Promise.all(storm);
    });
    await expect.poll(() => shop.pool.turns.waiting).toBe(0);
  });
});

test('while visitors search with 250 calls at the same time, a login and a cart are served', async () => {
  const ana = await shop.signIn();
  const storm = many(250, (each) => shop.call('searchProducts', { query: { q: `nothing like it ${each}` } }));
  const cart = shop.call('getCart', { as: ana, path: { userId: ana.userId } });
  const login = shop.call('login', { body: { email: ana.email, password: 'not the password' } });
  expect([(await cart).status, (await login).status]).toEqual([200, 401]);
  const statuses = (await Promise.all(storm)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429, 503]));
});

describe('while all connections to the database are taken', () => {
  /** Runs `work` while the shop's own work has all of them, then releases them. */
  async function whileTaken<T>(work: () => Promise<T>): Promise<T> {
    const clients = await Promise.all(many(10, () => shop.pool.connect()));
    try {
      return await work();
    } finally {
      for (const client of clients) client.release();
    }
  }
  const waiting = () => shop.pool.turns.waiting;
  const cartOf = (as: Person) => shop.call('getCart', { as, path: { userId: as.userId } });
  const askForPayment = (as: Person) =>
    shop.call('checkPaymentStatus', { as, query: { session_id: 'cs_test_made_up' } });
  const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
  /** For five callers. */
  const kept = 5 * queuedEndings;

  test('a logout that names no session needs none', async () => {
    await whileTaken(async () => {
      for (const headers of [{}, { authorization: 'Bearer made.up.token' }, { cookie: '__Host-refresh=made-up' }])
        expect((await shop.call('logout', { headers })).status).toBe(200);
    });
  });

  test('waiting logouts and payment checks do not cause other calls to be rejected', async () => {
    const crowd = await Promise.all(many(4, () => shop.signIn()));
    const [ana, gone] = [await shop.signIn(), await shop.signIn()];
    const { storm, carts } = await whileTaken(async () => {
      const storm = [
        ...many(60, () => statusOf(shop.call('logout', { as: gone }))),
        ...many(100, (each) => statusOf(askForPayment(crowd[each % 4]!))),
      ];
      await expect.poll(waiting).toBe(kept + 100);
      return { storm, carts: many(4, () => statusOf(cartOf(ana))) };
    });
    expect(await Promise.all(carts)).toEqual([200, 200, 200, 200]);
    expect(new Set(await Promise.all(storm))).toEqual(new Set([200, 503]));
  });

  test('the caller is looked up in the network’s turns, and not as the shop’s own work', async () => {
    const people = await Promise.all(many(110, () => shop.signIn()));
    const second = await shop.openProcess(); // knows none of the sessions
    const call = shop.callerOf(second.app);
    const statuses: number[] = [];
    const asked = await whileTaken(async () => {
      const asked = people.map(async (as) =>
        statuses.push(await statusOf(call('getCart', { as, path: { userId: as.userId } }))),
      );
      await expect.poll(() => [waiting(), ...statuses]).toEqual([queuedEndings + 100, ...many(6, () => 503)]);
      return asked;
    });
    await Promise.all(asked);
    expect(statuses.slice(6)).toEqual(many(104, () => 200));
    await second.close();
  });

  test('a customer’s payment result is not rejected because of the customer’s reads', async () => {
    const ana = await shop.signIn();
    const crowd = await Promise.all(many(4, () => shop.signIn()));
    const { result, reads } = await whileTaken(async () => {
      const reads = many(25, () => statusOf(cartOf(ana)));
      const result = statusOf(askForPayment(ana));
      await expect.poll(waiting).toBe(26);
      reads.push(...crowd.flatMap((person) => many(25, () => statusOf(cartOf(person)))));
      await expect.poll(waiting).toBe(101);
      return { result, reads };
    });
    expect(await result).toBe(200);
    await Promise.all(reads);
  });
});

test('the first use of new tokens is recorded once, however many calls begin with them', async () => {
  const { refreshToken } = await newCustomer(shop);
  const { jwt } = await refreshed(shop, refreshToken);
  const headers = { authorization: `Bearer ${jwt}` };
  const crowd = () =>
    Promise.all(many(20, () => shop.call('getPaymentSettings', { headers }))).then((answers) =>
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200])),
    );
  expect(await countQueries(shop.pool, crowd)).toBe(1);
  expect(await countQueries(shop.pool, crowd)).toBe(0);
});

test('every call that writes about one account to the audit log counts as such', () => {
  const named = [...operations].filter(([, bound]) => rateLimitOf(bound) === 'account').map(([id]) => id);
  expect(named.toSorted()).toEqual([
    'addAddress',
    'beginSecondFactor',
    'changePassword',
    'confirmSecondFactor',
    'disableSecondFactor',
    'endOtherSessions',
    'endSession',
    'newRecoveryCodes',
    'openBackupDownload',
    'removeAddress',
    'removeOwnPicture',
    'setStaffMails',
    'updateAddress',
    'updateProfile',
  ]);
});

test('a user may check a payment, or a network log out, ten times a second, and no more', async () => {
  const as = await shop.signIn();
  const calls = [
    () => shop.call('checkPaymentStatus', { as, query: { session_id: 'cs_test_made_up' } }),
    () => shop.app.inject({ method: 'POST', url: '/api/auth/logout', remoteAddress: '203.0.113.5' }),
  ];
  for (const ask of calls) {
    const statuses: number[] = [];
    for (let each = 0; each <= rateLimits.ending.perUser; each++) {
      const answer = await ask();
      statuses.push('status' in answer ? answer.status : answer.statusCode);
    }
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([600, 429]);
  }
});

test('the payment provider is never asked about made-up sessions, and about a user’s own so often a minute', async () => {
  const order = await openOrder(shop);
  await shop.control('fault', { next: 2, kind: '503', on: '*' }); // the next question to it gets 502: the SDK tries twice
  const madeUp = many(20, (each) => capture(shop, order.as, { ...order, sessionId: `cs_test_made_up_${each}` }));
  const answers = await Promise.all(madeUp);
  expect(answers.map(({ status, code }) => [status, code])).toEqual(many(20, () => [404, 'payment_not_found']));
  expect((await capture(shop, order.as, order)).status).toBe(502);
  const statuses: number[] = [];
  for (let each = 21; each <= rateLimits.provider.perUser; each++)
    statuses.push((await capture(shop, order.as, order)).status);
  expect([statuses.filter((status) => status === 409).length, statuses.at(-1)]).toEqual([39, 429]);
});

describe('a rate limit', () => {
  let app: FastifyInstance;
  const bound = (id: OperationId) => operations.get(id)!;
  const ask = async (url: string, user?: string, remoteAddress = '203.0.113.1', key?: string) => {
    const headers = { ...(user && { 'x-user': user }), ...(key && { 'idempotency-key': key }) };
    const { statusCode } = await app.inject({ method: 'POST', url, headers, remoteAddress });
    return statusCode;
  };
  const spendAll = async (times: number, one: () => Promise<number>) => {
    const statuses: number[] = [];
    for (let each = 0; each < times; each++) statuses.push(await one());
    return [statuses.filter((status) => status === 200).length, statuses.at(-1)];
  };

  beforeAll(() => {
    app = fastify();
    answerWithProblems(app);
    app.decorateRequest('session', undefined);
    app.addHook('onRequest', (request, _reply, done) => {
      const userId = request.headers['x-user'];
      if (typeof userId === 'string')
        request.session = { userId, role: 'ROLE_CUSTOMER', familyId: userId, refreshNumber: 0 };
      done();
    });
    const counted = createRateLimits();
    app.post('/change', (request) => counted.run(request, bound('addCartItem'), async () => 'done'));
    app.post('/kept', (request) => {
      counted.note(request, rateLimits.kept.perUser / 4);
      return counted.run(request, bound('updateProfile'), async () => 'done');
    });
    app.post('/event', (request) => counted.run(request, bound('receivePaymentEvent'), async () => 'done'));
    app.post('/page', (request) => counted.draw(request, async () => 'drawn'));
  });
  afterAll(() => app.close());

  test('is separate for each user, whatever others at the same address used up', async () => {
    expect(await spendAll(rateLimits.change.perUser + 1, () => ask('/change', 'mallory'))).toEqual([6_000, 429]);
    expect(await ask('/change', 'ana')).toBe(200);
  });

  test('of visitors is per network: an IPv4 address, or a /64 of IPv6', async () => {
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::1'];
    let turn = 0;
    const fromBoth = () => ask('/change', undefined, addresses[turn++ % 2]);
    expect(await spendAll(rateLimits.change.perNetwork + 1, fromBoth)).toEqual([1_200, 429]);
    expect(await ask('/change', undefined, '2001:db8:1:3::1')).toBe(200);
    expect(await ask('/change', 'of the same house', addresses[0])).toBe(200);
  });

  test('of bytes counts responses that are stored under a key, and no others', async () => {
    expect(await spendAll(5, () => ask('/kept', 'mallory 2', undefined, 'a key'))).toEqual([3, 429]);
    expect(await spendAll(5, () => ask('/kept', 'ana 2'))).toEqual([5, 200]);
  });

  test('of pages counts renderings', async () => {
    expect(await spendAll(rateLimits.page.perNetwork + 1, () => ask('/page'))).toEqual([200, 429]);
  });

  test('never counts webhooks of the payment provider', async () => {
    expect(await spendAll(rateLimits.change.perNetwork + 100, () => ask('/event', undefined, '198.51.100.1'))).toEqual([
      1_300, 200,
    ]);
  });
});
