/**
 * `npm run bench -- quotes`: how long a quote with delivery, tax and a code takes beside a read of the same cart, at 64
 * callers. Rule: docs/rules/orders-and-payment.md, The quote
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { startProvider } from '../chaos/provider';
import { createShop } from '../chaos/shop';
import { createBuyers, fillCarts, fillShelves, type Buyer } from './buyers';

const callers = 64;
const callsOfEach = 40;
const turns = 5;
const atMost = 3;

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
  const shop = await createShop(home, undefined, { output: 'ignore' });
  closers.push(() => shop.close());
  const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
  closers.push(provider.close);
  await shop.start(provider, { SESSION_SECRET: secret, DEMO_COMMERCE: 'on' });
  const pool = new Pool({ ...shop.database(), max: 4 });
  pool.on('error', () => undefined);
  closers.push(() => pool.end());
  const buyers = await createBuyers(pool, callers, secret);
  await fillCarts(pool, buyers, await fillShelves(pool));

  const read = (buyer: Buyer) => call(shop.url, buyer, `/public/cart/${buyer.userId}`);
  const plain = { deliveryAddress: { state: 'GA' } };
  const quote = (body: object) => (buyer: Buyer) =>
    call(shop.url, buyer, `/public/order/${buyer.userId}/quote/${buyer.cartId}`, body);
  const kinds = {
    'cart read': read,
    quote: quote(plain),
    'quote with a code': quote({ ...plain, discountCode: 'WELCOME10' }),
  };
  const p95s = new Map<string, number[]>();
  for (let turn = 0; turn <= turns; turn++)
    for (const [name, ask] of Object.entries(kinds)) {
      const p95 = await p95Of(buyers, ask);
      if (turn > 0) p95s.set(name, [...(p95s.get(name) ?? []), p95]); // the first one warms up
    }
  const median = (name: string) => p95s.get(name)?.toSorted((one, other) => one - other)[turns >> 1] ?? NaN;
  const cart = median('cart read');
  console.log(
    [
      `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}; ${callers} callers, the middle of ${turns} turns`,
      '',
      '|  | p95 ms | beside the cart read |',
      '| --- | ---: | ---: |',
      ...Object.keys(kinds).map(
        (name) => `| ${name} | ${median(name).toFixed(1)} | ${(median(name) / cart).toFixed(2)} |`,
      ),
    ].join('\n'),
  );
  if (Object.keys(kinds).some((name) => median(name) > atMost * cart)) process.exitCode = 1;
}

/** Each caller makes one call after the other. @returns in milliseconds */
async function p95Of(buyers: readonly Buyer[], ask: (buyer: Buyer) => Promise<void>): Promise<number> {
  const took: number[] = [];
  await Promise.all(
    buyers.map(async (buyer) => {
      for (let each = 0; each < callsOfEach; each++) {
        const began = performance.now();
        await ask(buyer);
        took.push(performance.now() - began);
      }
    }),
  );
  return took.toSorted((one, other) => one - other)[Math.floor(took.length * 0.95)] ?? NaN;
}

async function call(url: string, { token }: Buyer, at: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api${at}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${at} was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
