/**
 * Everything is submitted twice: Place Order by a double click, in two tabs, or again after a reload, and the payment
 * form by two clicks. There must be one order, one session, one payment. Rule: docs/rules/failures.md, Payment
 */
import { randomUUID } from 'node:crypto';
import type { Buyer } from '../bench/buyers';
import { readPlaced, type Found, type Market, type Placed } from './market';
import { countDoubles } from './payments';
import { createRandom } from './random';

export type DoubleTotals = Found & { submits: number; paidTwice: number; double: number };
type Options = { submits: number; seed: number; maxMinutes?: number; report?: (line: string) => void };

const parallelBuyers = 12;
const chunk = 400;
const plenty = 500_000;
const paysEvery = 5;

export async function runDoubles(
  market: Market,
  { submits, seed, maxMinutes = Infinity, report = () => undefined }: Options,
): Promise<DoubleTotals> {
  const { products } = market;
  const random = createRandom(seed);
  for (const { id } of products) await market.setShelf(id, plenty);
  const chargesBefore = await countCharges(market);
  let paidTwice = 0;
  const endsAt = Date.now() + maxMinutes * 60_000;
  let ordered = 0;
  for (let done = 0; done < submits && Date.now() < endsAt; done += chunk) {
    const carts = Array.from({ length: Math.min(chunk, submits - done) }, () => [
      { productId: random.oneOf(products).id, quantity: 1 + random.below(3) },
    ]);
    const waiting = [...(await market.newBuyers(carts)).entries()];
    const worker = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const placed = await submitTwice(market, next[1], next[0]);
        ordered++;
        if (next[0] % paysEvery !== 0) continue;
        await payTwice(placed);
        paidTwice++;
      }
    };
    await Promise.all(Array.from({ length: parallelBuyers }, worker));
    report(`${Math.min(submits, done + chunk)} double submits, ${paidTwice} of them paid twice`);
  }
  const found = await market.check();
  const double = (await countDoubles(market)) + (await countCharges(market)) - chargesBefore - paidTwice;
  return { ...found, submits: ordered, paidTwice, double };
}

async function countCharges({ provider }: Market): Promise<number> {
  return ((await provider.ledger()) as unknown as { charges: unknown[] }).charges.length;
}

/** @throws Error when the two answers differ */
async function submitTwice(market: Market, buyer: Buyer, each: number): Promise<Placed> {
  const [key, other] = [randomUUID(), randomUUID()];
  const click = async (its: string) => readPlaced(await market.placeOrder(buyer, { key: its }));
  const ways = [
    () => Promise.all([click(key), click(key)]),
    () => Promise.all([click(key), click(other)]),
    async () => [await click(key), await click(other)],
  ];
  const [first, second] = (await ways[each % ways.length]?.()) ?? [];
  if (!first || !second || first.orderId !== second.orderId || first.paymentUrl !== second.paymentUrl)
    throw new Error(`two submits of one cart are answered with ${JSON.stringify([first, second])}`);
  return first;
}

async function payTwice({ paymentUrl }: Placed): Promise<void> {
  const card = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Awa Jallow', zip: '30303' };
  const send = () =>
    fetch(paymentUrl, {
      method: 'POST',
      body: new URLSearchParams({ email: 'awa@example.com', ...card }),
      redirect: 'manual',
    });
  const statuses = (await Promise.all([send(), send()])).map(({ status }) => status);
  if (statuses.some((status) => status !== 303)) throw new Error(`the payment form was answered ${statuses.join()}`);
}
