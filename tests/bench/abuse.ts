/**
 * `npm run bench -- abuse`: how long the calls of twenty customers take under attack and without
 * (tests/security/abuse.ts); and whether thirty people behind one address, who do the same simultaneously, are ever rejected.
 */
import { openMarket } from '../chaos/market';
import { attackNames, openCrowd, quantile, watchAttack, watchQuiet, type Kind, type Seen } from '../security/abuse';

const forMs = 10_000;
/** The goal: the 95th percentile is at most this much, or this many times that of a quiet shop. */
const enoughMs = 300;
const enoughTimes = 3;
const kinds: readonly Kind[] = ['cart', 'order', 'login'];

const p95 = (values: readonly number[]) => quantile(values, 0.95);

const isEnough = (attacked: readonly number[], quiet: readonly number[]) =>
  p95(attacked) <= Math.max(enoughMs, enoughTimes * p95(quiet));

const market = await openMarket(undefined);
try {
  await measure();
} finally {
  await market.close();
}

async function measure(): Promise<void> {
  const crowd = await openCrowd(market, 30);
  await watchQuiet(crowd, 3_000); // a warm-up
  const quiet = await watchQuiet(crowd, forMs);
  console.log(`30 people of one address, all at once: ${quiet.wrong.length} refused`);
  console.log(describe('nobody attacks', quiet));
  let isRight = quiet.wrong.length === 0;
  for (const attack of attackNames) {
    const seen = await watchAttack(crowd, attack, forMs);
    const statuses = Object.entries(seen.attacked).map(([status, times]) => `${status}: ${times}`);
    console.log(`${describe(attack, seen)}; the attacker’s answers: ${statuses.join(', ')}`);
    isRight &&= seen.wrong.length === 0 && kinds.every((kind) => isEnough(seen.tookMs[kind], quiet.tookMs[kind]));
  }
  if (!isRight) process.exitCode = 1;
}

function describe(name: string, { tookMs, wrong }: Seen): string {
  const times = kinds.map((kind) => `${kind} ${p95(tookMs[kind]).toFixed(0)} ms`);
  return `${name.padEnd(15)} p95 ${times.join(', ')}; ${tookMs.cart.length} calls of carts, wrong ${wrong.length}`;
}
