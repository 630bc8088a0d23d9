/**
 * Attacks that spoil the shop for the others, on the built shop: while one of them runs, twenty other customers change
 * their carts, log in and order. All their calls must succeed. Rule: docs/rules/failures.md, HTTP and load
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { hashPassword } from '../../src/server/auth/factors/passwords';
import type { Buyer } from '../bench/buyers';
import type { Market } from '../chaos/market';

export const attackNames = [
  'brackets',
  'searches',
  'pages',
  'filters',
  'registrations',
  'cart',
  'accounts',
  'logins',
  'provider',
  'payments',
  'logouts',
  'contact',
  'profile',
  'streams',
  'strangers',
] as const;
export type AttackName = (typeof attackNames)[number];

export type Kind = 'cart' | 'order' | 'login' | 'events';
/** How long the customers' calls took, in milliseconds, and those that did not succeed. */
export type Seen = { tookMs: Record<Kind, number[]>; wrong: string[] };
export type Abused = Seen & { attacked: Record<string, number> };

type Account = Buyer & { email: string; password: string };
export type Crowd = { market: Market; customers: Account[]; mallory: Account[] };

const accountsOfMallory = 50;
const loginEveryMs = 700;
const loginsInTurn = 20;
const restsMs = 60;
/** A watch goes on, for a minute at most, until it has seen more calls than these of the customers and of the attacker. */
export const fewestCalls = 20;
const longerMs = 60_000;
const plenty = 900_000;
const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

/** Customers and an attacker with accounts of the same passwords. */
export async function openCrowd(market: Market, customerCount = 20): Promise<Crowd> {
  for (const { id } of market.products) await market.setShelf(id, plenty);
  const password = 'the password of everybody here';
  const newAccounts = async (count: number): Promise<Account[]> => {
    const buyers = await market.newBuyers(Array.from({ length: count }, () => []));
    const ids = buyers.map(({ userId }) => userId);
    const hash = await hashPassword(password);
    await market.pool.query('update users set password_hash = $1 where id = any ($2)', [hash, ids]);
    return buyers.map((buyer) => ({ ...buyer, email: `${buyer.userId}@example.com`, password }));
  };
  return { market, customers: await newAccounts(customerCount), mallory: await newAccounts(accountsOfMallory) };
}

/** What the customers see while nobody attacks. */
export const watchQuiet = (crowd: Crowd, forMs: number): Promise<Seen> => watchCustomers(crowd, forMs);

/** What they see while one attack runs. */
export async function watchAttack(crowd: Crowd, attack: AttackName, forMs: number): Promise<Abused> {
  const { market, mallory } = crowd;
  const productIds = market.products.map(({ id }) => id);
  const given = { attack, url: market.shop.url, accounts: mallory, productIds, atLeast: fewestCalls };
  const attacker = spawn(process.execPath, ['tests/security/abuseAttacker.mjs', JSON.stringify(given)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  attacker.stdout.on('data', (part: Buffer) => said.push(part.toString()));
  const ended = once(attacker, 'close');
  await pause(300); // its connections are open
  const isInFlight = () => said.length > 0;
  const seen = await watchCustomers(crowd, forMs, ({ tookMs }) => isInFlight() && tookMs.cart.length > fewestCalls);
  attacker.stdin.end();
  await ended;
  const statuses = said.join('').trim().split('\n').at(-1);
  return { ...seen, attacked: JSON.parse(statuses || '{}') as Record<string, number> };
}

async function watchCustomers(
  { market, customers }: Crowd,
  forMs: number,
  isEnough: (seen: Seen) => boolean = () => true,
): Promise<Seen> {
  const seen: Seen = { tookMs: { cart: [], order: [], login: [], events: [] }, wrong: [] };
  const endsAt = Date.now() + forMs;
  const goesOn = () => Date.now() < endsAt || (Date.now() < endsAt + longerMs && !isEnough(seen));
  await Promise.all(customers.map((customer, each) => shopFor(market, customer, each, goesOn, seen)));
  return seen;
}

/** Adds to the cart, looks at it, orders now and then, logs in on another device, and listens for events. */
async function shopFor(
  market: Market,
  customer: Account,
  each: number,
  goesOn: () => boolean,
  seen: Seen,
): Promise<void> {
  const { userId, cartId, token } = customer;
  const ask = timed(market.shop.url, seen);
  const events = ask('events', 'GET', '/public/events', { token, isEndless: true });
  let nextLogin = Date.now() + loginEveryMs * (each + 1);
  for (let turn = each; goesOn(); turn++) {
    const product = market.products[turn % market.products.length];
    const body = { productId: product?.id, quantity: 1 };
    await ask('cart', 'POST', `/public/cart/add/${userId}`, { token, body });
    await ask('cart', 'GET', `/public/cart/${userId}`, { token });
    if (turn % 8 === 0) {
      const order = { customer: 'Example Customer', deliveryAddress };
      await ask('order', 'POST', `/public/order/${userId}/payment/${cartId}`, { token, body: order });
      await ask('cart', 'PUT', `/public/cart/${userId}/clear`, { token, body: {} });
    }
    if (Date.now() >= nextLogin) {
      const { email, password } = customer;
      await ask('login', 'POST', '/auth/login', { body: { email, password } });
      nextLogin += loginEveryMs * loginsInTurn;
    }
    await pause(restsMs);
  }
  await events;
}

type Sent = { token?: string; body?: object; isEndless?: boolean };

/** Calls the shop, and notes how long it took and what went wrong. */
const timed =
  (url: string, seen: Seen) =>
  async (kind: Kind, method: string, path: string, { token, body, isEndless }: Sent): Promise<void> => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const leaving = new AbortController();
    const began = performance.now();
    try {
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }), signal: leaving.signal };
      const answer = await fetch(`${url}/api${path}`, sent);
      seen.tookMs[kind].push(performance.now() - began);
      if (isEndless) leaving.abort();
      const text = isEndless ? '' : await answer.text();
      if (!answer.ok) seen.wrong.push(`${method} ${path.replaceAll(/[\da-f-]{36}/g, '…')}: ${answer.status} ${text}`);
    } catch (error) {
      seen.wrong.push(`${method} ${path}: ${String(error)}`);
    }
  };

/** @param share such as 0.95 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
