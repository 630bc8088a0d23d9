/** Sizes of a product in public responses. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countQueries } from '../../support/catalog';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const productOf = async (id: string) => (await shop.call('getProduct', { path: { id } })).data.product;
const sizesOf = async (id: string) => (await productOf(id)).sizes?.map((size) => size.id);

/** Two sizes of a rub in one group: 110 g and 450 g. */
async function stockSizes() {
  const sizeGroup = randomUUID();
  const large = await shop.stock({ sizeGroup, name: 'Rub, large', netGrams: 450, priceCents: 2650, quantity: 0 });
  const small = await shop.stock({ sizeGroup, name: 'Rub', netGrams: 110, priceCents: 795, compareAtCents: 950 });
  return { sizeGroup, small, large };
}

test('a product names the sizes of its group, smallest first, each with price and state', async () => {
  const { sizeGroup, small, large } = await stockSizes();
  expect(await productOf(large.id)).toMatchObject({
    sizeGroup,
    sizes: [
      {
        id: small.id,
        name: 'Rub',
        price: 7.95,
        compareAtPrice: 9.5,
        availability: true,
        quantity: 10,
        unitSize: null,
        netGrams: 110,
      },
      { id: large.id, name: 'Rub, large', price: 26.5, netGrams: 450, availability: false, quantity: 0 },
    ],
  });
});

test('a product without a group is read as before, and its sizes cost one more statement', async () => {
  const { id } = await shop.stock();
  expect(Object.keys(await productOf(id)).filter((name) => name.startsWith('size'))).toEqual([]);
  const { small } = await stockSizes();
  const other = await shop.stock();
  await shop.untilTold();
  expect(await countQueries(shop.pool, () => productOf(other.id))).toBe(1);
  expect(await countQueries(shop.pool, () => productOf(small.id))).toBe(2);
});

test('lists show each size as a product of its own, with its group but without its sizes', async () => {
  const { id: categoryId, name: categoryName } = await shop.category();
  const sizeGroup = randomUUID();
  for (const netGrams of [110, 450]) await shop.stock({ categoryId, sizeGroup, netGrams });
  const { data } = await shop.call('listProductsByCategory', { path: { categoryName } });
  expect(data.products.totalElements).toBe(2);
  for (const product of data.products.content) {
    expect(product.sizeGroup).toBe(sizeGroup);
    expect(product.sizes).toBeUndefined();
  }
});

test('a deleted size is no choice until it is restored, and a size alone is none', async () => {
  const { small, large } = await stockSizes();
  const path = { id: large.id };
  await shop.call('archiveProduct', { as: staff, path });
  await expect.poll(() => sizesOf(small.id)).toBeUndefined();
  expect(await productOf(large.id)).not.toHaveProperty('sizes');
  await shop.call('restoreProduct', { as: staff, path });
  await expect.poll(() => sizesOf(small.id)).toEqual([small.id, large.id]);
});

test('a sale of one size is seen on the pages of the others', async () => {
  const { small, large } = await stockSizes();
  const quantities = async () => (await productOf(large.id)).sizes?.map(({ quantity }) => quantity);
  expect(await quantities()).toEqual([10, 0]);
  const body = { change: -10, reason: 'Sold at the market' };
  expect((await shop.call('adjustStock', { as: staff, path: { id: small.id }, body })).status).toBe(200);
  await expect.poll(quantities).toEqual([0, 0]);
  expect((await productOf(large.id)).sizes?.[0]?.availability).toBe(false);
});
