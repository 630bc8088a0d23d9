/**
 * Payments, of which one in twenty meets a fault: of the provider, the delivery of events, the buyer's connection, the
 * database's connections, or the whole shop. In the end each is one paid order, one payment, one mail.
 * Rule: docs/rules/failures.md, Payment
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Buyer } from '../bench/buyers';
import { untilAnswered } from './caller';
import { orderOf, readPlaced, type Found, type Line, type Market } from './market';
import { createRandom, type Random } from './random';

export type PaymentTotals = Found & {
  payments: number;
  double: number;
  faults: Record<string, number>;
  failures: string;
};
type Options = {
  payments: number;
  seed: number;
  faultShare?: number;
  /** No payments are begun after this time. */
  maxMinutes?: number;
  report?: (line: string) => void;
};

const usualFaultShare = 0.05;
const parallelBuyers = 16;
const chunk = 400; // their access tokens live a quarter of an hour
const plenty = 500_000;
const comesBackShare = 0.4;

export async function runPayments(
  market: Market,
  { payments, seed, faultShare = usualFaultShare, maxMinutes = Infinity, report = () => undefined }: Options,
): Promise<PaymentTotals> {
  const random = createRandom(seed);
  const faults = createFaults(market, random);
  const customers: string[] = [];
  for (const { id } of market.products) await market.setShelf(id, plenty);
  const endsAt = Date.now() + maxMinutes * 60_000;
  for (let done = 0; done < payments && Date.now() < endsAt; done += chunk) {
    const carts = Array.from({ length: Math.min(chunk, payments - done) }, () => cartOf(market, random));
    const waiting = await market.newBuyers(carts);
    const worker = async () => {
      for (let buyer = waiting.pop(); buyer; buyer = waiting.pop()) {
        const isCut = random.next() < faultShare && (await faults.breakSomething());
        await purchase(market, buyer, random, isCut);
        customers.push(buyer.userId);
      }
    };
    await Promise.all(Array.from({ length: parallelBuyers }, worker));
    report(`${Math.min(payments, done + chunk)} payments, ${faults.describe()}`);
  }
  await market.provider.control('POST', 'deliveries', { mode: 'normal' });
  const found = await market.check();
  const wrong = [...found.wrong, ...(await findUnpaid(market, customers))];
  const failures = Object.entries(market.seen.failures).map(([kind, times]) => `${kind}: ${times}`);
  return {
    ...found,
    wrong,
    payments: customers.length,
    double: await countDoubles(market),
    faults: faults.times,
    failures: [`cut: ${market.seen.cuts}`, ...failures].join(', '),
  };
}

/** A cart of one to three lines. */
function cartOf({ products }: Market, random: Random): Line[] {
  const first = random.below(products.length);
  return Array.from({ length: 1 + random.below(3) }, (_, each) => ({
    productId: products[(first + each) % products.length]?.id ?? '',
    quantity: 1 + random.below(3),
  }));
}

/** @param isCut the connection of the first click is cut, and the click repeated */
async function purchase(market: Market, buyer: Buyer, random: Random, isCut: boolean): Promise<void> {
  const key = randomUUID();
  const { shop, provider, seen } = market;
  const { userId, cartId, token } = buyer;
  if (isCut) await cutShort(shop.url, buyer, key, random.below(60));
  const { sessionId } = readPlaced(await market.placeOrder(buyer, { key }));
  if (random.next() < 0.05) await provider.control('POST', 'decline', { session: sessionId });
  await provider.control('POST', 'pay', { session: sessionId });
  if (random.next() >= comesBackShare) return; // the buyer closes the browser: webhook and sweeper must be enough
  const query = new URLSearchParams({ session_id: sessionId, user_id: userId, cart_id: cartId });
  const path = `/public/order/payment/success?${query.toString()}`;
  const { status, code } = await untilAnswered(shop.url, { method: 'GET', path }, seen, token);
  if (status !== 200) throw new Error(`a buyer who had paid was answered ${status} ${code}`);
}

async function cutShort(url: string, { userId, cartId, token }: Buyer, key: string, afterMs: number): Promise<void> {
  await fetch(`${url}/api/public/order/${userId}/payment/${cartId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(orderOf(userId)),
    signal: AbortSignal.timeout(afterMs),
  }).catch(() => undefined);
}

/** Makes one fault at a time; the kinds come in turn. */
function createFaults({ shop, provider }: Market, random: Random) {
  const on = (kind: string, call: string) => provider.control('POST', 'fault', { kind, next: 1, on: call });
  const opening = 'POST /v1/checkout/sessions';
  const reading = 'GET /v1/checkout/sessions/*';
  const deliver = (mode: string) => provider.control('POST', 'deliveries', { mode, next: 4 });
  const answers = ['500', '429', '409', '503', 'reset_before', 'reset_after', 'bad_json'];
  const kinds: Record<string, () => Promise<unknown>> = {
    'provider, opening': () => on(random.oneOf(answers), opening),
    'event dropped': () => deliver('drop'),
    'provider, reading': () => on(random.oneOf(answers), reading),
    'event doubled': () => deliver('duplicate'),
    'buyer cut': async () => undefined,
    'events reversed': () => deliver('reverse'),
    'event spoilt': () => deliver(random.oneOf(['corrupt', 'old'])),
    'answer held': async () => {
      await provider.control('POST', 'hold', { next: 1, on: opening });
      await pause(200);
      await provider.control('POST', 'release');
    },
  };
  const times: Record<string, number> = {};
  let count = 0;
  /** These faults take longer, so they come in every second round of the others. */
  const killOf = (round: number) => {
    const [kind, how] = round % 2 === 0 ? (['database cut', 'cut'] as const) : (['shop killed', 'shop'] as const);
    return [kind, () => shop.kill(how)] as const;
  };
  return {
    times,
    describe: () => `${count} faults`,
    /** @returns whether the buyer's own connection is to be cut */
    async breakSomething(): Promise<boolean> {
      const turns = Object.entries(kinds);
      const round = Math.floor(count / (turns.length + 1));
      const [kind, strike] = turns[count++ % (turns.length + 1)] ?? killOf(round);
      times[kind] = (times[kind] ?? 0) + 1;
      await strike();
      return kind === 'buyer cut';
    },
  };
}

async function findUnpaid({ pool }: Market, customers: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select customer.id from unnest($1::uuid[]) as customer(id) where not exists (
       select 1 from orders where user_id = customer.id and status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'))`,
    [customers],
  );
  return rows.map(({ id }) => `the customer ${id} has paid and has no paid order`);
}

/** Customers with more than one order, and orders with more than one payment session. */
export async function countDoubles({ pool, provider }: Market): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from (select 1 from orders group by user_id having count(*) > 1) as twice`,
  );
  const references = (await provider.ledger()).sessions.map((session) => session.client_reference_id);
  return (rows[0]?.count ?? 0) + references.length - new Set(references).size;
}
