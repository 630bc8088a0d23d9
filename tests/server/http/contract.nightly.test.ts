import { afterAll, beforeAll, expect, test } from 'vitest';
import { namedOutcomes, scenariosOf } from '../../support/scenarios';
import { openOwnShop, type TestShop } from '../../support/shop';

/** Every refusal that the contract names, provoked. Those that matter have tests of their own beside their feature. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const scenarios = scenariosOf(() => shop);

test.each(namedOutcomes.filter(({ outcome }) => outcome !== 'success'))(
  'each refusal that the contract names is given: $id, $outcome',
  async ({ id, outcome, status }) => {
    expect(await scenarios[id]?.[outcome]?.()).toMatchObject({ status, code: outcome });
  },
);
