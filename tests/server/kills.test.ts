/** The short form of `npm run drill`: the built shop under load, killed and started again. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { runKills, type KillTotals } from '../drill/kills';

let totals: KillTotals;

beforeAll(async () => {
  if (!existsSync('dist/server/main.js')) execFileSync(process.execPath, ['src/tools/build.mjs'], { stdio: 'inherit' });
  const databaseUrl = process.env['TEST_DATABASE_URL'] || undefined;
  totals = await runKills({ kills: 4, seed: 7, databaseUrl, maxLoadMs: 400, outageMs: 1_000, report: () => undefined });
}, 180_000);

test('A10: nothing that the shop confirmed is lost when it or its database is killed', () => {
  expect(totals.lost).toEqual([]);
  expect(totals.acknowledged).toBeGreaterThan(30);
});

test('what was asked for again after a kill is done once', () => {
  expect(totals.double).toEqual([]);
  expect(totals.oversold).toBe(0);
});

test('A13: after every kill, and after SIGTERM under load, the books agree and the shop stands by itself', () => {
  expect(totals.breaches).toEqual([]);
  expect(totals.paid).toBeGreaterThan(0);
});

test('a kill ends nobody’s session', () => {
  expect(totals.seen.lostSessions).toBe(0);
});

test('no process is left behind when the shop was killed for good', () => {
  expect(totals.leftProcesses).toBe(0);
});
