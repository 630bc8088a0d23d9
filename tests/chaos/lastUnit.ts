/**
 * Fifty buyers with mixed carts order at the same moment, and all want the one unit of a product: one gets it, and the
 * errors of the others name the product. Rule: docs/rules/failures.md, Stock and carts
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readPlaced, type Found, type Line, type Market } from './market';
import { createRandom, type Random } from './random';

export type LastUnitTotals = Found & {
  rounds: number;
  won: number;
  refused: number;
  oversold: number;
  failures: string;
};
type Options = { rounds: number; seed: number; report?: (line: string) => void };

const parallelBuyers = 50;
const plenty = 100_000;

export async function runLastUnits(
  market: Market,
  { rounds, seed, report = () => undefined }: Options,
): Promise<LastUnitTotals> {
  const random = createRandom(seed);
  const half = market.products.length >> 1;
  const [scarce, common] = [market.products.slice(0, half), market.products.slice(half)];
  for (const { id } of common) await market.setShelf(id, plenty);
  const totals = { rounds: 0, won: 0, refused: 0 };
  const wrong: string[] = [];
  while (totals.rounds < rounds) {
    const wanted = random.oneOf(scarce);
    await market.setShelf(wanted.id, 1);
    const others = () => random.oneOf(common).id;
    const carts = Array.from({ length: parallelBuyers }, () => mixedCart(wanted.id, others, random));
    const buyers = await market.newBuyers(carts);
    const answers = await Promise.all(buyers.map((buyer) => market.placeOrder(buyer)));
    const winners = answers.filter(({ status }) => status === 201);
    const clear = answers.filter(({ status, message }) => status === 409 && message.includes(wanted.name));
    if (winners.length !== 1 || clear.length !== parallelBuyers - 1)
      wrong.push(`${winners.length} of ${wanted.name} were sold and ${clear.length} buyers were told`);
    for (const winner of winners) await settle(market, wanted.id, readPlaced(winner).sessionId, random);
    totals.rounds++;
    totals.won += winners.length;
    totals.refused += clear.length;
    if (totals.rounds % 10 === 0) report(`${totals.rounds} rounds, ${totals.won} sold, ${totals.refused} told`);
  }
  const found = await market.check();
  const failures = Object.entries(market.seen.failures).map(([kind, times]) => `${kind}: ${times}`);
  const oversold = totals.won - totals.rounds;
  return { ...found, ...totals, wrong: [...found.wrong, ...wrong], oversold, failures: failures.join(', ') || 'none' };
}

/** A cart with the wanted product and up to two others, in any order. */
function mixedCart(wanted: string, other: () => string, random: Random): Line[] {
  const others = new Set(Array.from({ length: random.below(3) }, other));
  const lines = [...others].map((productId) => ({ productId, quantity: 1 + random.below(3) }));
  lines.splice(random.below(lines.length + 1), 0, { productId: wanted, quantity: 1 });
  return lines;
}

/** Pays the order, lets it expire, or leaves it open. */
async function settle({ provider, pool }: Market, product: string, session: string, random: Random): Promise<void> {
  const choice = random.next();
  if (choice < 0.5) await provider.control('POST', 'pay', { session });
  if (choice < 0.8) return;
  await provider.control('POST', 'expire', { session });
  const isBack = async () =>
    (await pool.query('select 1 from products where id = $1 and quantity = 1', [product])).rowCount === 1;
  for (const until = Date.now() + 30_000; !(await isBack()) && Date.now() < until;) await pause(20);
}
