import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generalProblems } from '../../support/contract';
import { namedOutcomes, scenariosOf } from '../../support/scenarios';
import { openOwnShop, type TestShop } from '../../support/shop';
import { statementsAtMost } from '../../support/statements';

/**
 * Every operation: one success, its number of statements, and a scenario for each error that it names;
 * contract.nightly.test.ts provokes them all. The caller in tests/support checks every response against the contract.
 */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const scenarios = scenariosOf(() => shop);

/** Waits until the settings are cached and no change by earlier tests can drop them: then no statement reads them. */
async function untilKept(): Promise<void> {
  await shop.untilTold();
  await shop.call('getShop');
}

describe('each operation', () => {
  const successes = namedOutcomes.filter(({ outcome }) => outcome === 'success');
  test.each(successes)('$id succeeds, with few statements', async ({ id }) => {
    const scenario = scenarios[id]?.['success'];
    if (!scenario) throw new Error(`${id} has no scenario of a success`);
    await untilKept();
    const answer = await scenario();
    expect(answer.status).toBeLessThan(300);
    expect(answer.statements).toBeLessThanOrEqual(statementsAtMost[id]);
  });

  test('has a scenario for each error that the contract names, and for no other', () => {
    const named = namedOutcomes.map(({ id, outcome }) => `${id}: ${outcome}`);
    const provoked = Object.entries(scenarios).flatMap(([id, outcomes]) =>
      Object.keys(outcomes).map((outcome) => `${id}: ${outcome}`),
    );
    expect(provoked.toSorted()).toEqual(named.toSorted());
  });
});

test('the server can return each error that any operation may return', () => {
  const files = readdirSync('src/server', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const server = files.map((file) => readFileSync(`src/server/${file}`, 'utf8')).join();
  expect(Object.keys(generalProblems).filter((code) => !server.includes(`'${code}'`))).toEqual([]);
});
