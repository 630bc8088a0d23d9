/** The short form of the other parts of `npm run drill`: the built shop, many buyers at once, and what breaks meanwhile. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runDoubles } from '../drill/doubles';
import { runLastUnits } from '../drill/lastUnit';
import { openMarket, type Market } from '../drill/market';
import { runPayments } from '../drill/payments';
import { urlOf } from '../support/globalSetup';

const seed = 7;
let market: Market;
beforeAll(async () => {
  if (!existsSync('dist/server/main.js')) execFileSync(process.execPath, ['src/tools/build.mjs'], { stdio: 'inherit' });
  market = await openMarket(process.env['TEST_DATABASE_URL'] || undefined);
}, 120_000);
afterAll(() => market.close());

test('B15: what is submitted twice is ordered once and paid once', { timeout: 60_000 }, async () => {
  const found = await runDoubles(market, { submits: 24, seed });
  expect(found).toMatchObject({ wrong: [], double: 0, orders: 24, paid: found.paidTwice });
});

test(
  'B15: so it is with two processes behind one port, while one after the other is killed',
  { timeout: 240_000 },
  async () => {
    const two = await openMarket(urlOf(inject('database').config), { processes: 2 });
    try {
      const found = await runDoubles(two, { submits: 9, seed });
      expect(found).toMatchObject({ wrong: [], double: 0, orders: 9, paid: found.paidTwice });
      expect(found.kills).toBeGreaterThan(0);
    } finally {
      await two.close();
    }
  },
);

test(
  'of the last unit one buyer of fifty gets it, and the others are told which product is gone',
  { timeout: 60_000 },
  async () => {
    expect(await runLastUnits(market, { rounds: 2, seed })).toMatchObject({
      wrong: [],
      oversold: 0,
      won: 2,
      refused: 98,
    });
  },
);

test(
  'B1 to B8: while one thing after the other breaks each payment becomes one paid order',
  { timeout: 120_000 },
  async () => {
    const { wrong, double, faults } = await runPayments(market, { payments: 40, seed, faultShare: 0.7 });
    expect({ wrong, double }).toEqual({ wrong: [], double: 0 });
    expect(Object.keys(faults)).toHaveLength(10);
  },
);
