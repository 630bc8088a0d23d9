/**
 * `npm run bench -- payments`: how long the provider waits for our answer to an event, and a buyer from Place Order to
 * the URL of the payment page. Calls come at a fixed rate, answered or not, and each is timed from the moment at which
 * it was due. Rule: docs/rules/failures.md, Goals
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { Stripe } from 'stripe';
import { end, startNode } from '../chaos/processes';
import { startProvider, type Provider } from '../chaos/provider';
import { createShop } from '../chaos/shop';
import { createBuyers, fillCarts, fillShelves, type Buyer } from './buyers';
import { databaseOf } from './opened';

/** A payment has four events, of which one has an effect. */
const events = { perSecond: 100, payments: 500 };
const typesPerPayment = [
  'payment_intent.created',
  'charge.succeeded',
  'payment_intent.succeeded',
  'checkout.session.completed',
];
const orders = { perSecond: 25, count: 750 };
const warmUp = 100;
const goals = { eventP99Ms: 200, orderP95Ms: 150 };

type Times = { p50: number; p95: number; p99: number; worst: number };
const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

const closers: (() => Promise<unknown>)[] = [];
try {
  await measure();
} finally {
  for (const close of closers.toReversed()) await close();
}

async function measure(): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-bench-'));
  closers.push(() => rm(home, { recursive: true, force: true }));
  const secret = randomUUID() + randomUUID();
  const settings = { SESSION_SECRET: secret, LOG_LEVEL: 'info' };
  const shop = await createShop(home, undefined, { output: 'ignore' });
  closers.push(() => shop.close());
  const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
  closers.push(provider.close);
  await shop.start(provider, settings);
  const pool = new Pool({ ...shop.database(), max: 4 });
  pool.on('error', () => undefined);
  closers.push(() => pool.end());
  const products = await fillShelves(pool);
  const newBuyers = async (count: number) => {
    const buyers = await createBuyers(pool, count, secret);
    await fillCarts(pool, buyers, products);
    return buyers;
  };

  const event = await measureEvents(shop.url, provider, await newBuyers(events.payments + warmUp));
  await untilMailsAreSent(pool);
  const instantUrl = await openInstantShop(home, shop.dataDir, provider, settings);
  const order = await measureOrders(instantUrl, await newBuyers(orders.count + warmUp));
  console.log(
    [
      `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}; milliseconds from the moment when each was due`,
      '',
      '|  | calls | p50 | p95 | p99 | worst | goal |',
      '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
      row(
        `event to 2xx, ${events.perSecond}/s`,
        events.payments * typesPerPayment.length,
        event,
        `p99 <= ${goals.eventP99Ms}`,
      ),
      row(`Place Order to payment URL, ${orders.perSecond}/s`, orders.count, order, `p95 <= ${goals.orderP95Ms}`),
    ].join('\n'),
  );
  if (event.p99 > goals.eventP99Ms || order.p95 > goals.orderP95Ms) process.exitCode = 1;
}

/** The events of payments that the shop does not know yet, so that the one that pays the order has its whole effect. */
async function measureEvents(url: string, provider: Provider, buyers: Buyer[]): Promise<Times> {
  await provider.control('POST', 'deliveries', { mode: 'hold' });
  const sessions: string[] = [];
  await inParallel(8, buyers, async (buyer) => {
    const session = await placeOrder(url, buyer);
    await provider.control('POST', 'pay', { session });
    sessions.push(session);
  });
  const send = async ({ session, type }: { session: string; type: string }) => {
    const object = { id: session, object: type.startsWith('checkout') ? 'checkout.session' : type.split('.')[0] };
    const id = `evt_${randomUUID()}`;
    const payload = JSON.stringify({
      id,
      object: 'event',
      type,
      livemode: false,
      data: { object },
    });
    const webhookSecret = provider.keys.STRIPE_WEBHOOK_SECRET;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const response = await fetch(`${url}/api/payments/webhook`, { method: 'POST', headers, body: payload });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`an event returned ${response.status}`);
  };
  const eventsOf = (paid: string[]) => paid.flatMap((session) => typesPerPayment.map((type) => ({ session, type })));
  await atRate(events.perSecond, eventsOf(sessions.splice(0, warmUp)), send);
  return atRate(events.perSecond, eventsOf(sessions), send);
}

/** Waits until the mails of the paid orders are sent, so that they do not disturb the next measurement. */
async function untilMailsAreSent(pool: Pool): Promise<void> {
  const waiting = async () => (await pool.query(`select 1 from mails where state = 'waiting' limit 1`)).rowCount !== 0;
  for (const until = Date.now() + 60_000; (await waiting()) && Date.now() < until;) await pause(200);
}

/** A second process on the same database, whose provider responds immediately: only the shop's own time is measured. */
async function openInstantShop(
  home: string,
  dataDir: string,
  provider: Provider,
  settings: Record<string, string>,
): Promise<string> {
  const instant = await createShop(path.join(home, 'instant'), undefined, { output: 'ignore' });
  closers.push(() => instant.close());
  const server = startNode(['tests/bench/instantProvider.mjs'], {});
  closers.push(() => end(server, 'SIGKILL'));
  while (!/port \d+/.test(server.said())) await pause(20);
  const url = `http://127.0.0.1:${/port (\d+)/.exec(server.said())?.[1]}`;
  await instant.start({ ...provider, url }, { ...settings, ...databaseOf(dataDir) });
  return instant.url;
}

async function measureOrders(url: string, buyers: Buyer[]): Promise<Times> {
  await atRate(orders.perSecond, buyers.splice(0, warmUp), (buyer) => placeOrder(url, buyer));
  return atRate(orders.perSecond, buyers, (buyer) => placeOrder(url, buyer));
}

/** @returns the payment session */
async function placeOrder(url: string, { userId, cartId, token }: Buyer): Promise<string> {
  const response = await fetch(`${url}/api/public/order/${userId}/payment/${cartId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ customer: 'Awa Jallow', deliveryAddress }),
  });
  const { data } = (await response.json()) as { data?: { paymentUrl: string } };
  if (response.status !== 201 || !data) throw new Error(`placing an order returned ${response.status}`);
  return data.paymentUrl.split('/').at(-1) ?? '';
}

async function inParallel<Item>(workers: number, items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

async function atRate<Item>(
  perSecond: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<Times> {
  const began = performance.now() + 100;
  const tookMs = await Promise.all(
    items.map(async (item, index) => {
      const due = began + (index * 1000) / perSecond;
      await pause(Math.max(0, due - performance.now()));
      await work(item);
      return performance.now() - due;
    }),
  );
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1) };
}

function row(name: string, calls: number, { p50, p95, p99, worst }: Times, goal: string): string {
  const numbers = [p50, p95, p99, worst].map((ms) => ms.toFixed(1));
  return `| ${[name, calls, ...numbers, goal].join(' | ')} |`;
}
