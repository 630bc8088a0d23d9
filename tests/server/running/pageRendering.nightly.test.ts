/** How long another customer waits while pages must be rendered. Rule: docs/rules/running.md, Overload */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMarket, type Market } from '../../chaos/market';
import { openCrowd, watchAttack, type Crowd } from '../../security/abuse';
import { builtApp } from '../../support/builtApp';

const inTimeMs = 600_000;
const watchedMs = 8_000;
let market: Market;
let crowd: Crowd;
beforeAll(async () => {
  await builtApp();
  market = await openMarket(process.env['TEST_DATABASE_URL'] || undefined);
  crowd = await openCrowd(market, 1);
}, inTimeMs);
afterAll(() => market.close());

test.each(['registrations', 'filters', 'pages'] as const)(
  'while %s are sent from 160 connections 19 of 20 cart calls of another customer take at most 100 ms',
  { timeout: inTimeMs },
  async (name) => {
    const { wrong, tookMs } = await watchAttack(crowd, name, watchedMs);
    expect(wrong).toEqual([]);
    const sorted = tookMs.cart.toSorted((one, other) => one - other);
    expect(sorted.at(Math.floor(sorted.length * 0.95))).toBeLessThanOrEqual(100);
  },
);
