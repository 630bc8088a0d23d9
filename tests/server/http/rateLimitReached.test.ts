/** Reaches each rate limit and each concurrency limit. Figures: docs/security.md, Rate limits */
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rateLimitOf, createRateLimits, type RateLimits } from '../../../src/server/http/limits/rateLimits';
import { rateLimits, connectionLimits, inFlight, type RateLimit } from '../../../src/server/http/limits/limitTable';
import { streamLimits } from '../../../src/server/http/live/live';
import { operations } from '../../../src/server/http/contract/operations';
import { Problem } from '../../../src/server/http/core/problems';
import type { OperationId } from '../../../src/shared/contract';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

const boundOf = (id: OperationId) => operations.get(id)!;
const known: OperationId[] = [
  'addCartItem',
  'exportOrders',
  'getCart',
  'getProduct',
  'listProducts',
  'login',
  'logout',
];
const ids: OperationId[] = [
  ...known,
  'placeOrder',
  'receivePaymentEvent',
  'register',
  'searchProducts',
  'setOwnPicture',
  'updateProfile',
];
let app: FastifyInstance;
let counted: RateLimits;
let last: FastifyRequest;
beforeAll(() => {
  app = fastify();
  app.decorateRequest('session', undefined);
  for (const operationId of ids)
    app.post(`/${operationId}`, { config: { operationId } }, async (request) => {
      last = request;
    });
});
beforeEach(() => {
  counted = createRateLimits();
});
afterAll(() => app.close());

type Requester = { userId?: string; address?: string };

/** A call that does `work` within its caller's rate limits, as often as it is called. */
async function callOf(id: OperationId, { userId, address = '203.0.113.1' }: Requester, work = async () => {}) {
  await app.inject({ method: 'POST', url: `/${id}`, remoteAddress: address });
  const request = last;
  if (userId !== undefined) request.session = { userId, role: 'ROLE_CUSTOMER', familyId: userId, refreshNumber: 0 };
  return () => counted.run(request, boundOf(id), work);
}

/** @returns how many of `calls` sequential calls were let through, and the response to the next */
async function spend(call: () => Promise<void>, most: number): Promise<[number, unknown]> {
  for (let spent = 0; spent < most; spent++) {
    const rejection: unknown = await call().catch((error: unknown) => error);
    if (rejection !== undefined) return [spent, rejection];
  }
  return [most, undefined];
}

const mallory = { userId: 'mallory' };
const ana = { userId: 'ana' };

describe('of a user', () => {
  test.each([
    ['account', 'updateProfile'],
    ['picture', 'setOwnPicture'],
    ['order', 'placeOrder'],
    ['list', 'listProducts'],
    ['search', 'searchProducts'],
    ['export', 'exportOrders'],
  ] as const)('calls in the rate limit %s (%s) are let through so often, then get a Retry-After', async (name, id) => {
    const { perUser, seconds } = rateLimits[name];
    expect(rateLimitOf(boundOf(id))).toBe(name);
    const [spent, rejection] = await spend(await callOf(id, mallory), perUser + 10);
    expect(spent).toBe(perUser);
    expect(rejection).toBeInstanceOf(Problem);
    const { status, code, message, extras } = rejection as Problem;
    expect([status, code]).toEqual([429, 'too_many_requests']);
    expect(message).toBe('Too many requests. Try again in a moment.');
    expect(extras.retryAfterSeconds).toBeGreaterThan(0);
    expect(extras.retryAfterSeconds).toBeLessThanOrEqual(seconds);
    expect(await spend(await callOf(id, ana), 1)).toEqual([1, undefined]);
    expect(await spend(await callOf('addCartItem', mallory), 1)).toEqual([1, undefined]);
  });
});

describe('of visitors', () => {
  test.each([
    ['list', 'listProducts'],
    ['search', 'searchProducts'],
  ] as const)('calls in the rate limit %s (%s) are let through so often for each network', async (name, id) => {
    const [spent, rejection] = await spend(await callOf(id, {}), rateLimits[name].perNetwork + 10);
    expect([spent, (rejection as Problem).status]).toEqual([rateLimits[name].perNetwork, 429]);
    expect(await spend(await callOf(id, { address: '198.51.100.1' }), 1)).toEqual([1, undefined]);
    expect(await spend(await callOf('getProduct', {}), 1)).toEqual([1, undefined]);
  });
});

describe('without a rate limit', () => {
  test.each([
    ['read', 'getCart', mallory],
    ['session', 'login', {}],
    ['signed', 'receivePaymentEvent', {}],
  ] as const)('a call in %s (%s) is not rejected for it', async (name, id, requester) => {
    const rateLimit: RateLimit = rateLimits[name];
    expect([rateLimitOf(boundOf(id)), rateLimit.perUser, rateLimit.perNetwork]).toEqual([name, undefined, undefined]);
    const more = rateLimits.change.perUser + 1;
    expect(await spend(await callOf(id, requester), more)).toEqual([more, undefined]);
  });
});

describe('in flight at the same time', () => {
  /** @returns how many of this many parallel calls were rejected */
  async function refusedOf(times: number, id: OperationId, requester: Requester, ...others: (() => Promise<void>)[]) {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const call = await callOf(id, requester, () => ended);
    const calls = Array.from({ length: times }, () => call().catch((error: Problem) => error.status));
    await Promise.all(others.map((other) => other()));
    end();
    return (await Promise.all(calls)).filter((status) => status === 429).length;
  }

  test('a user may have so many of any kind, and another user as many', async () => {
    const other = await callOf('getCart', ana);
    expect(await refusedOf(inFlight.ofUser + 3, 'getCart', mallory, other)).toBe(3);
    const own = await callOf('addCartItem', mallory);
    await expect(refusedOf(inFlight.ofUser, 'getCart', mallory, own)).rejects.toMatchObject({ status: 429 });
  });

  test('a network’s visitors may have so many of one kind, and others of another kind', async () => {
    const [register, elsewhere] = [await callOf('register', {}), await callOf('searchProducts', { address: '::1' })];
    expect(await refusedOf(inFlight.ofNetwork + 3, 'searchProducts', {}, register, elsewhere)).toBe(3);
  });
});

describe('in the shop', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openOwnShop();
  });
  afterAll(() => shop.close());

  test.each([
    ['a user', 'getCart', mallory, connectionLimits.user],
    ['a customer’s changes', 'addCartItem', mallory, connectionLimits.changesOfCustomer],
    ['those of a user that end an order or a session', 'logout', mallory, connectionLimits.endings],
    ['those of visitors that do', 'logout', {}, connectionLimits.endings],
    ['a network’s visitors who make one call', 'searchProducts', {}, connectionLimits.visitors],
  ] as const)('%s (%s) have so many of the database’s connections', async (_, id, requester, most) => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const call = await callOf(id, requester, async () => {
      const client = await shop.pool.connect();
      await ended;
      client.release();
    });
    const calls = Array.from({ length: 9 }, call);
    await expect.poll(() => shop.pool.turns.waiting).toBe(9 - most);
    await expect.poll(() => shop.pool.totalCount - shop.pool.idleCount).toBe(most);
    end();
    await Promise.all(calls);
  });

  test('a network’s users have so many event streams, and a user without one gets one all the same', async () => {
    const leaving = new AbortController();
    const streams: Response[] = []; // an unreferenced one would be garbage-collected, which ends it
    const listen = async ({ token }: Person) => {
      const headers = { authorization: `Bearer ${token}` };
      const stream = await fetch(`${shop.url}/api/public/events`, { signal: leaving.signal, headers });
      streams.push(stream);
      return stream.status;
    };
    const { ofSession, ofNetwork } = streamLimits;
    const people = await Promise.all(Array.from({ length: ofNetwork / ofSession }, () => shop.signIn()));
    const newcomer = await shop.signIn();
    const each = people.flatMap((person) => Array.from({ length: ofSession }, () => listen(person)));
    expect(new Set(await Promise.all(each))).toEqual(new Set([200]));
    expect(await listen(newcomer)).toBe(200);
    expect(await listen(newcomer)).toBe(429);
    expect(streams).toHaveLength(ofNetwork + 2);
    leaving.abort();
  });
});
