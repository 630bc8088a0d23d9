/**
 * Fifty buyers order at the same moment with a code that one of them can use: exactly one order has it, the others hear
 * that it is used up. A use whose order expires can be had again. Rule: docs/rules/orders-and-payment.md, The total
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readPlaced, type Found, type Market } from './market';
import { createRandom } from './random';

export type LastUseTotals = Found & {
  rounds: number;
  won: number;
  refused: number;
  overused: number;
  failures: string;
};
type Options = { rounds: number; seed: number; report?: (line: string) => void };

const parallelBuyers = 50;
const plenty = 100_000;

export async function runLastUses(
  market: Market,
  { rounds, seed, report = () => undefined }: Options,
): Promise<LastUseTotals> {
  const random = createRandom(seed);
  for (const { id } of market.products) await market.setShelf(id, plenty);
  const totals = { rounds: 0, won: 0, refused: 0 };
  const wrong: string[] = [];
  const round = async (discountCode: string, count: number) => {
    const carts = Array.from({ length: count }, () => [{ productId: random.oneOf(market.products).id, quantity: 2 }]);
    const buyers = await market.newBuyers(carts);
    const answers = await Promise.all(buyers.map((buyer) => market.placeOrder(buyer, { discountCode })));
    const winners = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ code }) => code === 'discount_used_up');
    if (winners.length !== 1 || refused.length !== count - 1)
      wrong.push(`${winners.length} orders have the one use of ${discountCode}, ${refused.length} buyers were told`);
    totals.won += winners.length;
    totals.refused += refused.length;
    return winners.map(readPlaced);
  };
  while (totals.rounds < rounds) {
    const discountCode = await makeCode(market);
    totals.rounds++;
    for (const { sessionId, orderId } of await round(discountCode, parallelBuyers)) {
      const choice = random.next();
      if (choice < 0.5) await market.provider.control('POST', 'pay', { session: sessionId });
      if (choice < 0.8) continue;
      await expire(market, { sessionId, orderId });
      totals.rounds++;
      await round(discountCode, 2);
    }
    if (totals.rounds % 10 === 0) report(`${totals.rounds} rounds, ${totals.won} with the code`);
  }
  const found = await market.check();
  const failures = Object.entries(market.seen.failures).map(([kind, times]) => `${kind}: ${times}`);
  const overused = totals.won - totals.rounds;
  return { ...found, ...totals, wrong: [...found.wrong, ...wrong], overused, failures: failures.join(', ') || 'none' };
}

/** A new code with one use. */
async function makeCode({ pool }: Market): Promise<string> {
  const code = `ONCE-${randomUUID().slice(0, 8).toUpperCase()}`;
  await pool.query(
    `insert into discounts (id, code, kind, percent, max_uses, created_at) values ($1, $2, 'percent', 25, 1, $3)`,
    [randomUUID(), code, new Date()],
  );
  return code;
}

async function expire({ provider, pool }: Market, { sessionId, orderId }: { sessionId: string; orderId: string }) {
  await provider.control('POST', 'expire', { session: sessionId });
  const isOver = async () =>
    (await pool.query(`select 1 from orders where id = $1 and status = 'CANCELLED'`, [orderId])).rowCount === 1;
  for (const until = Date.now() + 30_000; !(await isOver()) && Date.now() < until;) await pause(20);
}
