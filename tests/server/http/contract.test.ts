import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountScenarios, type Scenarios } from '../../support/accountScenarios';
import { cartScenarios } from '../../support/cartScenarios';
import { catalogFormScenarios } from '../../support/catalogFormScenarios';
import { catalogScenarios } from '../../support/catalogScenarios';
import { contractOperations, generalProblems } from '../../support/contract';
import { discountScenarios } from '../../support/discountScenarios';
import { orderScenarios } from '../../support/orderScenarios';
import { listScenarios } from '../../support/listScenarios';
import { openOwnShop, type TestShop } from '../../support/shop';
import { ownPictureScenarios } from '../../support/ownPictureScenarios';
import { sellingScenarios } from '../../support/sellingScenarios';
import { signInScenarios } from '../../support/signInScenarios';
import { staffScenarios } from '../../support/staffScenarios';
import { statementsAtMost } from '../../support/statements';

/**
 * Every operation: one success, and each refusal that it names. The caller in tests/support checks every answer against
 * the contract; here it is checked that none is missing, and how many statements a success takes.
 */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const scenarios = [
  signInScenarios,
  accountScenarios,
  ownPictureScenarios,
  staffScenarios,
  sellingScenarios,
  catalogScenarios,
  catalogFormScenarios,
  cartScenarios,
  listScenarios,
  discountScenarios,
  orderScenarios,
].reduce<Scenarios>((all, scenariosOf) => ({ ...all, ...scenariosOf(() => shop) }), {});

/** Until the settings are kept, and nothing of what tests before changed can drop them: then nobody reads them. */
async function untilKept(): Promise<void> {
  await shop.untilTold();
  await shop.call('getShop');
}

const named = [...contractOperations.values()].flatMap(({ operationId: id, 'x-problems': problems }) =>
  ['success', ...Object.keys(problems)].map((outcome) => ({ id, outcome, status: problems[outcome] })),
);

describe('each operation', () => {
  test.each(named)('$id: $outcome', async ({ id, outcome, status }) => {
    const scenario = scenarios[id]?.[outcome];
    if (!scenario) throw new Error(`${id} names ${outcome}, and no scenario provokes it`);
    if (outcome === 'success') await untilKept();
    const answer = await scenario();
    if (outcome === 'success') {
      expect(answer.status).toBeLessThan(300);
      expect(answer.statements).toBeLessThanOrEqual(statementsAtMost[id]);
    } else expect(answer).toMatchObject({ status, code: outcome });
  });

  test('has no scenario for what the contract does not name', () => {
    const unnamed = Object.entries(scenarios).flatMap(([id, outcomes]) =>
      Object.keys(outcomes).filter((outcome) => !named.some((one) => one.id === id && one.outcome === outcome)),
    );
    expect(unnamed).toEqual([]);
  });
});

test('each refusal that any operation may answer is one that the server gives', () => {
  const files = readdirSync('src/server', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const server = files.map((file) => readFileSync(`src/server/${file}`, 'utf8')).join();
  expect(Object.keys(generalProblems).filter((code) => !server.includes(`'${code}'`))).toEqual([]);
});
