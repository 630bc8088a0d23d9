/** A short form of `npm run bench -- abuse`: how other customers fare while the shop is attacked. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMarket, type Market } from '../../chaos/market';
import { attackNames, fewestCalls, openCrowd, watchAttack, type Crowd } from '../../security/abuse';
import { builtApp } from '../../support/builtApp';
import { isNightly } from '../../support/nightly';

const inTimeMs = 600_000;
let market: Market;
let crowd: Crowd;
beforeAll(async () => {
  await builtApp();
  market = await openMarket(process.env['TEST_DATABASE_URL'] || undefined);
  crowd = await openCrowd(market);
}, inTimeMs);
afterAll(() => market.close());

test.each(attackNames)('during an attack with %s the calls of others succeed', { timeout: inTimeMs }, async (name) => {
  const { wrong, tookMs, attacked } = await watchAttack(crowd, name, isNightly ? 10_000 : 700);
  expect(wrong).toEqual([]);
  expect(tookMs.cart.length).toBeGreaterThan(fewestCalls);
  expect(Object.values(attacked).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(fewestCalls);
});
