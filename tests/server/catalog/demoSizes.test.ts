import { afterAll, beforeAll, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { seedDemoCatalog } from '../../../src/server/db/seed/demoCatalog';
import { netSize } from '../../../src/shared/unitPrice';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
  await transact(shop.db, (tx) => seedDemoCatalog(tx, { now: shop.clock.now(), withSizes: true }));
});
afterAll(() => shop.close());

async function readDemo() {
  const { content } = (await shop.call('listProducts', { query: { size: 100 } })).data.products;
  const ids = new Set(content.flatMap(({ sizeGroup }) => sizeGroup ?? []));
  return { content, groups: [...ids].map((id) => content.filter(({ sizeGroup }) => sizeGroup === id)) };
}

test('twelve demo products have two or more further sizes with the same name and picture', async () => {
  const { content, groups } = await readDemo();
  expect(groups).toHaveLength(12);
  expect(content.length).toBe(36 + groups.flatMap((group) => group.slice(1)).length);
  for (const sizes of groups) {
    const [first] = sizes;
    expect(sizes.length, first?.name).toBeGreaterThan(2);
    expect(sizes.every(({ name, imageUrl }) => name === first?.name && imageUrl === first.imageUrl)).toBe(true);
    const { product } = (await shop.call('getProduct', { path: { id: first?.id ?? '' } })).data;
    expect(product.sizes?.map(({ id }) => id).toSorted()).toEqual(sizes.map(({ id }) => id).toSorted());
  }
});

test('each size of a demo product has its own SKU and label, and an ounce of a larger one costs less', async () => {
  const { groups } = await readDemo();
  const all = groups.flat();
  expect(new Set(all.map(({ sku }) => sku)).size).toBe(all.length);
  expect(all.map((size) => netSize(size, 'us'))).toEqual(all.map(({ unitSize }) => unitSize));
  for (const sizes of groups) {
    const byWeight = sizes.toSorted((one, other) => (one.netGrams ?? 0) - (other.netGrams ?? 0));
    const perGram = byWeight.map(({ price, netGrams }) => price / (netGrams ?? 0));
    expect(perGram, sizes[0]?.name).toEqual(perGram.toSorted((one, other) => other - one));
  }
});
