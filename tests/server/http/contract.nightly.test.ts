import { afterAll, beforeAll, expect, test } from 'vitest';
import { namedOutcomes, scenariosOf } from '../../support/scenarios';
import { openOwnShop, type TestShop } from '../../support/shop';

/** Provokes every error that the contract names. The important ones have their own tests beside their feature. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const scenarios = scenariosOf(() => shop);

test.each(namedOutcomes.filter(({ outcome }) => outcome !== 'success'))(
  'each error that the contract names occurs: $id, $outcome',
  async ({ id, outcome, status }) => {
    expect(await scenarios[id]?.[outcome]?.()).toMatchObject({ status, code: outcome });
  },
);
