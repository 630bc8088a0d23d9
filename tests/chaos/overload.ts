/**
 * The overload chaos run: it measures how many cart changes a second the shop can make, then sends half of that as a normal
 * day, twice as many for a while, and the normal day again. Calls come at a fixed rate, whether earlier ones were
 * answered or not, as from independent people. Rule: docs/rules/failures.md, HTTP and load
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Buyer } from '../bench/buyers';
import { readPlaced, type Market } from './market';

export type OverloadTotals = {
  ratedPerSecond: number;
  normal: Phase;
  overload: Phase;
  /** Milliseconds after the overload until the answers were as fast as before. */
  recoveredMs: number;
  begunAndPaid: number;
  wrong: string[];
};
type Phase = {
  offered: number;
  done: number;
  shed: number;
  other: number;
  p50Ms: number;
  p95Ms: number;
  worstMs: number;
};
type Options = { overloadMs: number };
type Answered = { at: number; tookMs: number; status: number; hasRetryAfter: boolean };

const parallelBuyers = 400;
const parallelCallers = 64;
const rateMs = 5_000;
const normalMs = 10_000;
const tickMs = 10;
const windowMs = 1_000;
const recoversWithinMs = 10_000;
const begunOrders = 20;
const plenty = 900_000;

export async function runOverload(market: Market, { overloadMs }: Options): Promise<OverloadTotals> {
  const { products } = market;
  for (const { id } of products) await market.setShelf(id, plenty);
  const buyers = await market.newBuyers(Array.from({ length: parallelBuyers }, () => []));
  const begun = await market.newBuyers(
    Array.from({ length: begunOrders }, (_, each) => [
      { productId: products[each % products.length]?.id ?? '', quantity: 1 },
    ]),
  );
  const orders = await Promise.all(begun.map(async (buyer) => readPlaced(await market.placeOrder(buyer))));

  let next = 0;
  const change = () => {
    const each = next++; // all buyers add their first product, then all their second
    const product = products[Math.floor(each / buyers.length) % products.length];
    return changeCart(market.shop.url, buyers[each % buyers.length] as Buyer, product?.id ?? '');
  };
  await measureRate(change); // a warm-up
  const ratedPerSecond = await measureRate(change);
  await pause(windowMs);
  const normal = await offer(change, ratedPerSecond / 2, normalMs);
  const paying = Promise.all(
    orders.map(async ({ sessionId }, each) => {
      await pause((overloadMs / begunOrders) * each);
      return market.provider.pay(sessionId);
    }),
  );
  const overload = await offer(change, ratedPerSecond * 2, overloadMs);
  const after = await offer(change, ratedPerSecond / 2, recoversWithinMs + 3 * windowMs);
  const begunAndPaid = (await paying).filter(Boolean).length;
  const usualMs = describe(normal).p95Ms * 1.5 + 10;
  const recoveredMs = findRecovery(after, usualMs);
  const { wrong } = await market.check();
  const { rows } = await market.pool.query<{ paid: number }>(
    `select count(*)::int as paid from orders where status = 'PAID'`,
  );
  if (rows[0]?.paid !== begunOrders) wrong.push(`of ${begunOrders} orders that were begun ${rows[0]?.paid} are paid`);
  const shed = describe(overload);
  if (shed.other > 0 || describe(after).other > 0)
    wrong.push('some answers were neither done nor 503 with Retry-After');
  if (shed.shed === 0) wrong.push('nothing was refused');
  if (recoveredMs > recoversWithinMs) wrong.push(`the answers were not as fast as before after ${recoversWithinMs} ms`);
  return { ratedPerSecond, normal: describe(normal), overload: shed, recoveredMs, begunAndPaid, wrong };
}

async function changeCart(url: string, { userId, token }: Buyer, productId: string): Promise<Answered> {
  const at = Date.now();
  const body = JSON.stringify({ productId, quantity: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(20_000);
  try {
    const answer = await fetch(`${url}/api/public/cart/add/${userId}`, { method: 'POST', headers, body, signal });
    await answer.arrayBuffer();
    const hasRetryAfter = answer.headers.has('retry-after');
    return { at, tookMs: Date.now() - at, status: answer.status, hasRetryAfter };
  } catch {
    return { at, tookMs: Date.now() - at, status: 0, hasRetryAfter: false };
  }
}

/** Keeps as many calls running as the shop accepts, each one sent when an earlier one was answered. */
async function measureRate(call: () => Promise<Answered>): Promise<number> {
  const endsAt = Date.now() + rateMs;
  let done = 0;
  const work = async () => {
    while (Date.now() < endsAt) if (isDone(await call())) done++;
  };
  await Promise.all(Array.from({ length: parallelCallers }, work));
  return Math.round(done / (rateMs / 1000));
}

async function offer(call: () => Promise<Answered>, perSecond: number, forMs: number): Promise<Answered[]> {
  const asked: Promise<Answered>[] = [];
  const began = Date.now();
  for (let passed = 0; passed < forMs; passed = Date.now() - began) {
    for (const due = (passed / 1000) * perSecond; asked.length < due;) asked.push(call());
    await pause(tickMs);
  }
  return Promise.all(asked);
}

/** A rejection at 99 units of a product counts as an answer too. */
const isDone = ({ status }: Answered) => (status >= 200 && status < 300) || status === 409;

function describe(answers: readonly Answered[]): Phase {
  const done = answers.filter(isDone);
  const shed = answers.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter);
  const sorted = done.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const other = answers.length - done.length - shed.length;
  const counts = { offered: answers.length, done: done.length, shed: shed.length, other };
  return { ...counts, p50Ms: at(0.5), p95Ms: at(0.95), worstMs: at(1) };
}

/** The start of the first three seconds in a row without a rejection and with the usual speed. */
function findRecovery(answers: readonly Answered[], usualMs: number): number {
  const began = answers[0]?.at ?? 0;
  const isUsual = Array.from({ length: Math.floor(((answers.at(-1)?.at ?? began) - began) / windowMs) }, (_, each) => {
    const { shed, other, p95Ms } = describe(answers.filter(({ at }) => Math.floor((at - began) / windowMs) === each));
    return shed + other === 0 && p95Ms <= usualMs;
  });
  const first = isUsual.findIndex((_, each) => [0, 1, 2].every((next) => isUsual[each + next]));
  return first === -1 ? Infinity : first * windowMs;
}
