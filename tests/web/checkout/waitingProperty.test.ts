import { QueryClient } from '@tanstack/react-query';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Schema } from '../../../src/shared/contract';
import { changesOf, type Intent, withPricesKept } from '../../../src/shared/intent';
import { offlineQuote } from '../../../src/shared/offlineQuote';
import { kitchen } from '../../../src/web/device/lists';
import { deleteRowsOf } from '../../../src/web/device/endedSession';
import { reachability } from '../../../src/web/server/reachability';
import { replaceNetwork } from '../../../src/web/server/send';
import { session } from '../../../src/web/server/session';
import { acceptListed, dropIntent, intentQuery, saveIntent } from '../../../src/web/waiting/intent';
import { isNightly } from '../../support/nightly';
import { type Random, createRandom } from '../../chaos/random';
import { toldSeed } from '../../support/random';

/**
 * Nothing is ordered automatically: whatever happens to a waiting order, each order of the shop has its own press, made
 * after its total was last shown. The device is the real one (its database, clock and responses); shop and pages are
 * models, whose pages know what `useReady` and `usePlacing` know.
 */
const runs = Number(process.env['INTENT_RUNS'] ?? (isNightly ? 1000 : 30));
const steps = 40;
const users = ['ana', 'awa'] as const;
type UserId = (typeof users)[number];
const hourMs = 60 * 60_000;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-01T08:00:00Z') });
  replaceNetwork(() => Promise.resolve(healthy()));
  await reachability.probe();
  await kitchen.ready();
});
afterEach(() => session.clear());
afterAll(() => {
  replaceNetwork((request) => fetch(request));
  vi.useRealTimers();
});

let serverSkewMs = 0;
const healthy = () =>
  new Response('{"status":"ok"}', {
    headers: { 'content-type': 'application/json', date: new Date(Date.now() + serverSkewMs).toUTCString() },
  });

const noTerms = { deliveryMethods: [], taxRates: [], takesCodes: false };
const address = { fullName: 'Ana', street: '1 A', city: 'Atlanta', state: 'GA', postalCode: '30303' };
const totalOf = (cart: Schema<'Cart'>) =>
  offlineQuote(cart.cartItems, noTerms, { state: undefined, methodId: undefined }).total;

/** What a tab shows; undefined: not the page of the order. */
interface Page {
  intent: Intent;
  cart: Schema<'Cart'>;
  total: number | null;
  isHeld: boolean;
}
interface Tab {
  cache: QueryClient;
  page?: Page | undefined;
}
interface Press {
  userId: UserId;
  total: number | null;
}

class World {
  readonly orders: { userId: UserId; total: number | null; content: string }[] = [];
  readonly presses: Press[] = [];
  readonly #chance: Random;
  #tabs: Tab[] = [tab(), tab()];
  #shop = { price: 8, stock: 5, isSold: true };
  #carts: Record<UserId, { quantity: number; price: number } | undefined> = { ana: undefined, awa: undefined };
  #user: UserId = 'ana';

  constructor(chance: Random) {
    this.#chance = chance;
    this.#signIn('ana');
  }

  async step(): Promise<void> {
    const at = this.#chance.oneOf(this.#tabs);
    const acts: (() => Promise<void> | void)[] = [
      () => this.#keep(at),
      () => this.#keep(at),
      () => this.#show(at),
      () => this.#show(at),
      () => this.#press(at),
      () => this.#press(at),
      () => this.#press(at),
      () => void (at.page = undefined),
      () => this.#reload(at),
      () => void (this.#shop.price = 7 + this.#chance.below(3)),
      () => void (this.#shop.stock = this.#chance.below(6)),
      () => void (this.#shop.isSold = this.#chance.below(3) > 0),
      () => void vi.setSystemTime(Date.now() + this.#chance.below(30) * hourMs),
      () => void (serverSkewMs = (this.#chance.below(11) - 5) * hourMs),
      () => this.#settle(at),
      () => this.#logOut(),
      () => reachability.probe().then(() => undefined),
    ];
    await this.#chance.oneOf(acts)();
  }

  #signIn(userId: UserId): void {
    this.#user = userId;
    session.set({ id: userId, fullName: userId, role: 'ROLE_CUSTOMER' });
    this.#carts[userId] ??= { quantity: 1 + this.#chance.below(3), price: this.#shop.price };
  }

  async #logOut(): Promise<void> {
    const before = this.#user;
    session.clear(true);
    await deleteRowsOf(before);
    expect(await kitchen.intents.get(before)).toBeUndefined();
    this.#tabs = [tab(), tab()];
    this.#signIn(this.#chance.oneOf(users));
  }

  /** As the server responds. */
  #cart(): Schema<'Cart'> {
    const line = this.#carts[this.#user];
    if (!line) return { cartId: 'c', cartItems: [], totalAmount: 0 };
    const { price, stock, isSold } = this.#shop;
    const notice = !isSold
      ? 'archived'
      : stock === 0
        ? 'out_of_stock'
        : stock < line.quantity
          ? 'not_enough_stock'
          : line.price === price
            ? null
            : 'price_changed';
    const item = {
      id: 'l',
      productId: 'p',
      productName: 'Pepper',
      imageUrl: null,
      quantity: line.quantity,
      price: line.price,
      currentPrice: price,
      totalPrice: line.price * line.quantity,
      stock,
      notice,
    } as Schema<'CartItem'>;
    return { cartId: 'c', cartItems: [item], totalAmount: item.totalPrice };
  }

  async #keep({ cache }: Tab): Promise<void> {
    const { cartItems } = this.#cart();
    const [line] = cartItems;
    if (!line) return void (this.#carts[this.#user] = { quantity: 1, price: this.#shop.price });
    const { productId, productName, imageUrl, quantity, currentPrice } = line;
    const shown = {
      lines: [{ productId, productName, imageUrl, quantity, price: currentPrice }],
      delivery: null,
      total: totalOf(this.#cart()),
    };
    const id = `${this.#user}${this.#chance.next()}`;
    const now = Date.now();
    await saveIntent(cache, { id, userId: this.#user, madeAt: now, asOf: now, address, wish: {}, shown });
  }

  async #show(at: Tab): Promise<void> {
    const intent = await at.cache.fetchQuery({ ...intentQuery(this.#user), staleTime: 0 });
    const cart = this.#cart();
    if (!intent || cart.cartItems.length === 0) return void (at.page = undefined);
    expect(intent.userId).toBe(this.#user);
    const kept = withPricesKept(this.#user, cart).cart;
    const total = totalOf(kept);
    const changes = changesOf(intent, cart, { delivery: null, total });
    at.page = { intent, cart: kept, total, isHeld: changes.some(({ settleAt }) => settleAt !== undefined) };
  }

  /** A press on Place Order, with the page as last rendered. */
  async #press(at: Tab): Promise<void> {
    const { page } = at;
    if (!page || page.isHeld) return;
    const press = { userId: this.#user, total: page.total };
    const ordersBefore = this.orders.length;
    this.presses.push(press);
    await acceptListed(page.intent, []).then(
      () => this.#place(at, page),
      () => undefined, // it was discarded, placed, or is over
    );
    expect(this.orders.length - ordersBefore).toBeLessThanOrEqual(1);
  }

  async #place(at: Tab, page: Page): Promise<void> {
    const line = this.#carts[this.#user];
    const [shown] = page.cart.cartItems;
    if (!line || !shown) return;
    line.price = shown.currentPrice; // the listed price is accepted
    const now = this.#cart();
    if (now.cartItems.some(({ notice }) => notice !== null) || totalOf(now) !== page.total) return; // rejected
    this.orders.push({ userId: this.#user, total: page.total, content: page.intent.id });
    this.#carts[this.#user] = undefined;
    await dropIntent(at.cache, { userId: this.#user });
  }

  #settle({ page }: Tab): void {
    const line = this.#carts[this.#user];
    if (!page || !line || !page.isHeld) return;
    this.#carts[this.#user] =
      this.#shop.isSold && this.#shop.stock > 0 ? { ...line, quantity: this.#shop.stock } : undefined;
  }

  #reload(at: Tab): void {
    at.cache = tab().cache;
    at.page = undefined;
  }
}

const tab = (): Tab => ({ cache: new QueryClient() });

test(
  `in ${runs} random runs each order has its own press, after its total was last shown`,
  { timeout: 3_600_000 },
  async () => {
    const seed = toldSeed();
    let ordered = 0;
    for (let run = 0; run < runs; run++) {
      await kitchen.intents.clear();
      serverSkewMs = 0;
      const world = new World(createRandom(seed + run));
      for (let step = 0; step < steps; step++) {
        const before = { orders: world.orders.length, presses: world.presses.length };
        await world.step();
        const made = world.orders.slice(before.orders);
        const presses = world.presses.slice(before.presses);
        expect(made.length, `run ${run}, step ${step}`).toBeLessThanOrEqual(presses.length);
        for (const { userId, total } of made) expect(presses).toContainEqual({ userId, total });
      }
      expect(new Set(world.orders.map(({ content }) => content)).size, `run ${run}: one order of each`).toBe(
        world.orders.length,
      );
      ordered += world.orders.length;
    }
    expect(ordered).toBeGreaterThan(0);
  },
);

test('a page of a replaced order places nothing', async () => {
  session.set({ id: 'ana', fullName: 'Ana', role: 'ROLE_CUSTOMER' });
  await kitchen.intents.clear();
  const cache = new QueryClient();
  const now = Date.now();
  const one = {
    id: '1',
    userId: 'ana',
    madeAt: now,
    asOf: now,
    address,
    wish: {},
    shown: { lines: [], delivery: null, total: 8 },
  };
  await saveIntent(cache, one);
  await saveIntent(cache, { ...one, id: '2' });
  await expect(acceptListed(one, [])).rejects.toThrow("There's no order waiting on this device.");
  await expect(acceptListed({ ...one, id: '2' }, [])).resolves.toBeUndefined();
});
