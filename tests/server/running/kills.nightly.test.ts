/** The short form of `npm run chaos`: the built shop under load, killed and restarted. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { runKills, type KillTotals } from '../../chaos/kills';
import { builtApp } from '../../support/builtApp';
import { isNightly } from '../../support/nightly';
import { seed, logSeed } from '../../support/random';

let totals: KillTotals;

beforeAll(async () => {
  await builtApp();
  const databaseUrl = process.env['TEST_DATABASE_URL'] || undefined;
  const options = { databaseUrl, maxLoadMs: isNightly ? 1_500 : 400, outageMs: 1_000, report: () => undefined };
  totals = await runKills({ ...options, kills: isNightly ? 30 : 4, seed });
}, 1_500_000);
beforeEach(({ onTestFailed }) => onTestFailed(logSeed));

test('nothing that the shop confirmed is lost when it or its database is killed', () => {
  expect(totals.lost).toEqual([]);
  expect(totals.acknowledged).toBeGreaterThan(0);
});

test('a request repeated after a kill, or sent twice at the same time, is done once', () => {
  expect(totals.double).toEqual([]);
  if (isNightly) expect(Math.min(totals.parcels, totals.refunds, totals.canceled)).toBeGreaterThan(0);
  expect(totals.oversold).toBe(0);
});

test('after every kill, and after SIGTERM under load, the books agree and the shop recovers by itself', () => {
  expect(totals.breaches).toEqual([]);
  expect(totals.paid).toBeGreaterThan(0);
});

test('a kill ends nobody’s session', () => {
  expect(totals.seen.lostSessions).toBe(0);
});

test('no process is left behind when the shop was killed for good', () => {
  expect(totals.leftProcesses).toBe(0);
});
