/** A built shop with its provider, stock and customers, for the chaos runs with many parallel buyers. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { connect, transact } from '../../src/server/db/core/transact';
import { adjustStock } from '../../src/server/stock/service';
import { createBuyers, type Buyer, type Product } from '../bench/buyers';
import { findBreaches, unsettledPayment } from '../support/books';
import { newSeen, untilAnswered, type Answer, type Seen } from './caller';
import { startProvider, type Provider } from './provider';
import { compareMails } from './compareBooks';
import { createShop, type Shop } from './shop';
import { createUnrest } from './rollingKills';

export type Line = { productId: string; quantity: number };
export type Placed = { orderId: string; sessionId: string; paymentUrl: string };
export type Market = {
  shop: Shop;
  provider: Provider;
  pool: Pool;
  /** The demo catalog. */
  products: Product[];
  seen: Seen;
  newBuyers: (carts: readonly Line[][]) => Promise<Buyer[]>;
  setShelf: (productId: string, units: number) => Promise<void>;
  placeOrder: (buyer: Buyer, how?: { key?: string; discountCode?: string }) => Promise<Answer>;
  /** Waits for pending events and mails, then compares books, ledger and mails. */
  check: () => Promise<Found>;
  close: () => Promise<void>;
};
/** The result of the check, and how long it took until the shop knew every payment. */
export type Found = {
  orders: number;
  paid: number;
  wrong: string[];
  settledMs: number;
  /** Kills of one of several processes so far. */
  kills: number;
};
export type MarketOptions = {
  /** Environment of the shop besides a chaos run's own; or a function that makes it from the URL of the shop's database. */
  settings?: Record<string, string> | ((url: string) => Record<string, string>);
  /** Prepares the shop's DATA_DIR before the start; resolves with a function that undoes it. */
  prepare?: ((dataDir: string) => Promise<() => Promise<unknown>>) | undefined;
  /** Several processes use `databaseUrl`; while there are buyers, one after the other is killed and started again. */
  processes?: number;
  /** Milliseconds from the moment when all processes are ready to the next kill. */
  killEveryMs?: number;
};

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
/** Redelivery and sweeper may need this long. Rule: docs/rules/orders-and-payment.md, The sweeper */
const settledWithinMs = 150_000;
const usualKillEveryMs = 3_000;

export async function openMarket(
  databaseUrl: string | undefined,
  { settings = {}, prepare, processes = 1, killEveryMs = usualKillEveryMs }: MarketOptions = {},
): Promise<Market> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-chaos-'));
  const closers: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true, maxRetries: 20 })];
  const close = async () => {
    for (const step of closers.splice(0).toReversed()) await step();
  };
  try {
    const shop = await createShop(home, databaseUrl, { processes });
    if (prepare) closers.push(await prepare(shop.dataDir));
    closers.push(() => shop.close());
    const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
    closers.push(provider.close);
    const secret = randomUUID() + randomUUID();
    const more = typeof settings === 'function' ? settings(shop.database().connectionString ?? '') : settings;
    // every order has delivery and tax
    await shop.start(provider, { SESSION_SECRET: secret, LOG_LEVEL: 'warn', DEMO_COMMERCE: 'on', ...more });
    const pool = new Pool({ ...shop.database(), max: 4 });
    pool.on('error', () => undefined);
    closers.push(() => pool.end());
    const seen = newSeen();
    const unrest = createUnrest(() => shop.kill('shop'), killEveryMs);
    closers.push(() => unrest.end().catch(() => undefined)); // a check has reported its error
    const { rows: products } = await pool.query<Product>(
      `select id, name, price_cents as "priceCents" from products
       where archived_at is null and availability order by id`,
    );
    return {
      shop,
      provider,
      pool,
      products,
      seen,
      newBuyers(carts) {
        if (processes > 1) unrest.begin();
        return newBuyers(pool, carts, secret);
      },
      setShelf: (productId, units) => setShelf(pool, productId, units),
      placeOrder: ({ userId, cartId, token }, { key = randomUUID(), discountCode } = {}) => {
        const body = orderOf(userId, discountCode);
        return untilAnswered(shop.url, { path: `/public/order/${userId}/payment/${cartId}`, body, key }, seen, token);
      },
      async check() {
        await unrest.end();
        return { ...(await check(pool, provider, shop)), kills: unrest.kills() };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What somebody's order sends, each time the same. */
export const orderOf = (userId: string, discountCode = usualCode(userId)): object => ({
  customer: 'Example Customer',
  deliveryAddress: address,
  ...(discountCode && { discountCode }),
});

/** Every second customer has a code, the same one each time. */
const usualCode = (userId: string) => (Number.parseInt(userId.slice(0, 2), 16) % 2 ? 'WELCOME10' : undefined);

/** @throws Error when the answer is no order */
export function readPlaced({ status, code, data }: Answer): Placed {
  if (status !== 201) throw new Error(`placing an order was answered ${status} ${code}`);
  const { orderId, paymentUrl } = data as unknown as { orderId: string; paymentUrl: string };
  return { orderId, paymentUrl, sessionId: /cs_test_\w+/.exec(paymentUrl)?.[0] ?? '' };
}

/** Customers with these carts, one each, and access tokens of a quarter of an hour. */
async function newBuyers(pool: Pool, carts: readonly Line[][], secret: string): Promise<Buyer[]> {
  const buyers = await createBuyers(pool, carts.length, secret);
  const lines = carts.flatMap((cart, each) => cart.map((line) => ({ ...line, cartId: buyers[each]?.cartId })));
  await pool.query(
    `insert into cart_items (id, cart_id, product_id, quantity, confirmed_price_cents, created_at)
     select gen_random_uuid(), cart_id, product_id, units, price_cents, $4
     from unnest($1::uuid[], $2::uuid[], $3::int[]) as line(cart_id, product_id, units)
     join products on products.id = product_id`,
    [
      lines.map(({ cartId }) => cartId),
      lines.map(({ productId }) => productId),
      lines.map(({ quantity }) => quantity),
      new Date(),
    ],
  );
  return buyers;
}

/** Corrects the stock as staff would, with an entry in the ledger. */
async function setShelf(pool: Pool, productId: string, units: number): Promise<void> {
  await transact(connect(pool), async (tx) => {
    const { rows } = await tx.execute<{ quantity: number }>(
      `select quantity from products where id = '${productId}' for update`,
    );
    const difference = units - (rows[0]?.quantity ?? 0);
    await adjustStock(tx, { productId, units: difference, reason: 'Drill', byUserId: null, now: new Date() });
  });
}

async function check(pool: Pool, provider: Provider, shop: Shop): Promise<Omit<Found, 'kills'>> {
  for (const began = Date.now(); ; await pause(500)) {
    const breaches = await findBreaches({ pool, ledger: await provider.ledger() });
    const settledMs = Date.now() - began;
    if (breaches.some(({ rule }) => rule === unsettledPayment) && settledMs < settledWithinMs) continue;
    const mails = await compareMails(pool, path.join(shop.dataDir, 'mails'));
    const wrong = [
      ...breaches.map(({ rule, found }) => `not true: ${rule}: ${JSON.stringify(found.slice(0, 3))}`),
      ...mails.map(({ what, by }) => `${by < 0 ? 'lost' : 'too much'}: ${what}`),
      ...shop.leaked(),
      ...shop.wrongs(),
    ];
    const { rows } = await pool.query<{ orders: number; paid: number }>(
      `select count(*)::int as orders,
         count(*) filter (where status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'))::int as paid from orders`,
    );
    return { orders: rows[0]?.orders ?? 0, paid: rows[0]?.paid ?? 0, wrong, settledMs };
  }
}
