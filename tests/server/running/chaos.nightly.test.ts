/** A short form of `npm run chaos`: the built shop, many parallel buyers, and faults meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDoubles } from '../../chaos/doubles';
import { runLastUnits } from '../../chaos/lastUnit';
import { runLastUses } from '../../chaos/lastUse';
import { openMarket, type Market } from '../../chaos/market';
import { runPayments } from '../../chaos/payments';
import { builtApp } from '../../support/builtApp';
import { isNightly } from '../../support/nightly';
import { toldSeed } from '../../support/random';

/** Starting, killing and settling take seconds, and on a busy machine many times that. */
const inTimeMs = 600_000;
let market: Market;
beforeAll(async () => {
  await builtApp();
  market = await openMarket(process.env['TEST_DATABASE_URL'] || undefined);
}, inTimeMs);
afterAll(() => market.close());

const submits = isNightly ? 120 : 12;

test('a double submit is ordered once and paid once', { timeout: inTimeMs }, async () => {
  const found = await runDoubles(market, { submits, seed: toldSeed() });
  expect(found).toMatchObject({ wrong: [], double: 0, orders: submits, paid: found.paidTwice });
});

test('one of fifty gets the last unit, and the others read which product is gone', { timeout: inTimeMs }, async () => {
  const rounds = isNightly ? 5 : 1;
  expect(await runLastUnits(market, { rounds, seed: toldSeed() })).toMatchObject({
    wrong: [],
    oversold: 0,
    won: rounds,
    refused: rounds * 49,
  });
});

test(
  'one of fifty gets the last use of a code, and the others read that it is used up',
  { timeout: inTimeMs },
  async () => {
    const found = await runLastUses(market, { rounds: isNightly ? 5 : 1, seed: toldSeed() });
    expect(found).toMatchObject({ wrong: [], overused: 0, won: found.rounds });
  },
);

test('during one fault after another each payment becomes one paid order', { timeout: inTimeMs }, async () => {
  const payments = isNightly ? 300 : 20;
  const { wrong, double, faults } = await runPayments(market, {
    payments,
    seed: toldSeed(),
    faultShare: isNightly ? 0.5 : 1, // so that each kind has its turn
  });
  expect({ wrong, double }).toEqual({ wrong: [], double: 0 });
  expect(Object.keys(faults)).toHaveLength(10);
});
