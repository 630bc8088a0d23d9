/** What goes well with a product. Rule: docs/rules/catalog.md, Goes well with */
import { randomUUID } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { productPairs, products } from '../../../src/server/db/schema/tables';
import { createRandom } from '../../chaos/random';
import { countQueries, moveStock } from '../../support/catalog';
import { openOwnShop, type TestShop } from '../../support/shop';
import { randomOrder, writeOrders, type SoldOrder } from '../../support/soldOrders';

let shop: TestShop;
let userId: string;
beforeAll(async () => {
  shop = await openOwnShop();
  ({ userId } = await shop.signIn());
});
afterAll(() => shop.close());

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(shop.clock.now().getTime() - days * dayMs);
const random = createRandom(7);

const productOf = async (id: string) => (await shop.call('getProduct', { path: { id } })).data.product;
const shownWith = async (id: string) => (await productOf(id)).goesWellWith?.map((other) => other.id) ?? [];

type Stocked = Awaited<ReturnType<typeof stock>>;

async function stock(facts: Parameters<TestShop['stock']>[0]) {
  const { id } = await shop.stock(facts);
  const [row] = await shop.db
    .select()
    .from(products)
    .where(inArray(products.id, [id]));
  return row!;
}

/** Orders of these products: one unit of each. */
const sell = (count: number, bought: readonly Stocked[], paidAt: Date | null = daysAgo(1)) =>
  writeOrders(
    shop.pool,
    Array.from({ length: count }, () => orderOf(bought, paidAt)),
    userId,
  );

function orderOf(bought: readonly Stocked[], paidAt: Date | null): SoldOrder {
  const lines = bought.map(({ id: productId, priceCents, categoryId }) => ({
    id: randomUUID(),
    productId,
    categoryId,
    quantity: 1,
    cents: priceCents,
    discountCents: 0,
    taxCents: 0,
  }));
  const goodsCents = lines.reduce((sum, { cents }) => sum + cents, 0);
  const none = { discountCents: 0, deliveryCents: 0, taxedCents: 0, taxCents: 0, deliveryTaxCents: 0 };
  const order = { id: randomUUID(), state: 'GA', discountId: null, taxRatePpm: null, paidAt, refunds: [] };
  return { ...order, ...none, goodsCents, totalCents: goodsCents, lines };
}

const keyOf = ({ id, sizeGroup }: Stocked) => sizeGroup ?? id;

/** The rule, computed product by product. */
function expected(product: Stocked, shelf: readonly Stocked[], orders: readonly SoldOrder[]): string[] {
  const listed = shelf.filter(({ archivedAt }) => !archivedAt);
  const keys = [...new Set(listed.map(keyOf))].filter((key) => key !== keyOf(product));
  const sold = orders
    .filter(({ paidAt }) => paidAt && paidAt >= daysAgo(180))
    .map(({ lines }) => new Set(lines.map((line) => keyOf(shelf.find(({ id }) => id === line.productId)!))));
  const common = (key: string) => sold.filter((each) => each.has(key) && each.has(keyOf(product))).length;
  const paired = keys
    .filter((key) => common(key) >= 3)
    .toSorted((one, other) => common(other) - common(one) || (one < other ? -1 : 1))
    .slice(0, 8);
  const ofCategory = listed
    .filter(({ categoryId }) => categoryId === product.categoryId)
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1))
    .map(keyOf);
  const isIn = ({ availability, quantity }: Stocked) => availability && quantity > 0;
  const sizes = [...new Set([...paired, ...ofCategory])]
    .filter((key) => key !== keyOf(product))
    .map((key) => {
      const group = listed.filter((each) => keyOf(each) === key).toSorted((a, b) => a.priceCents - b.priceCents);
      return (group.find(isIn) ?? group[0])!;
    });
  return [...sizes.filter(isIn), ...sizes.filter((size) => !isIn(size))].slice(0, 4).map(({ id }) => id);
}

test('after a night, each page shows what the rule says of any orders', async () => {
  const groups = [randomUUID(), randomUUID()];
  const categories = [await shop.category(), await shop.category(), await shop.category()];
  const shelf: Stocked[] = [];
  for (let n = 0; n < 24; n++) {
    const at = random.below(3);
    shelf.push(
      await stock({
        categoryId: categories[at]!.id,
        priceCents: 300 + n * 7,
        createdAt: new Date(2026, 0, 1, 0, n),
        quantity: random.below(4) === 0 ? 0 : 50,
        ...(random.below(5) === 0 && { availability: false }),
        ...(random.below(6) === 0 && { archivedAt: shop.clock.now() }),
        ...(at > 0 && random.below(2) === 0 && { sizeGroup: groups[at - 1]! }),
      }),
    );
  }
  const products = shelf.map(({ id: productId, priceCents, categoryId }) => ({ productId, priceCents, categoryId }));
  const period = { from: daysAgo(240), until: shop.clock.now(), discountIds: [] };
  const orders = Array.from({ length: 260 }, () => randomOrder(random, { shelf: products, ...period }));
  const sold = orders.filter(({ totalCents }) => totalCents > 0);
  await writeOrders(shop.pool, sold, userId);
  await shop.jobs.pairProducts();
  await shop.untilTold();
  for (const product of shelf.filter(({ archivedAt }) => !archivedAt))
    expect(await shownWith(product.id), product.id).toEqual(expected(product, shelf, sold));
});

test('products ordered together three times go together, whatever their category', async () => {
  const [pepper, lime, twice] = [await stock({}), await stock({}), await stock({})];
  await sell(3, [pepper, lime]);
  await sell(2, [pepper, twice]);
  await sell(3, [pepper, twice], null);
  await sell(3, [pepper, twice], daysAgo(181));
  await shop.jobs.pairProducts();
  await shop.untilTold();
  expect(await shownWith(pepper.id)).toEqual([lime.id]);
  expect(await shownWith(lime.id)).toEqual([pepper.id]);
  expect(await shownWith(twice.id)).toEqual([]);
});

test('another size is never shown, and of another group only the cheapest size in stock', async () => {
  const [group, others] = [randomUUID(), randomUUID()];
  const small = await stock({ sizeGroup: group });
  const large = await stock({ sizeGroup: group });
  const [sold, jar, bag] = [
    await stock({ sizeGroup: others, priceCents: 300, quantity: 0 }),
    await stock({ sizeGroup: others, priceCents: 500 }),
    await stock({ sizeGroup: others, priceCents: 900 }),
  ];
  await sell(3, [small, large]);
  await sell(2, [small, bag]);
  await sell(1, [large, jar, sold]);
  await shop.jobs.pairProducts();
  await shop.untilTold();
  expect(await shownWith(small.id)).toEqual([jar.id]);
  expect(await shownWith(large.id)).toEqual([jar.id]);
});

test('a product deleted by day is gone from the page, and a sold-out one comes last', async () => {
  const { id: categoryId } = await shop.category();
  const [pepper, lime, filler] = [await stock({ categoryId }), await stock({}), await stock({ categoryId })];
  await sell(3, [pepper, lime]);
  await shop.jobs.pairProducts();
  await shop.untilTold();
  expect(await shownWith(pepper.id)).toEqual([lime.id, filler.id]);
  await shop.db
    .update(products)
    .set({ quantity: 0 })
    .where(inArray(products.id, [lime.id]));
  await expect.poll(() => shownWith(pepper.id)).toEqual([filler.id, lime.id]);
  await shop.db
    .update(products)
    .set({ archivedAt: shop.clock.now() })
    .where(inArray(products.id, [lime.id]));
  await expect.poll(() => shownWith(pepper.id)).toEqual([filler.id]);
});

test('a sold-out product that the page did not show is there again as soon as it is back', async () => {
  const { id: categoryId } = await shop.category();
  const pepper = await stock({ categoryId });
  const first = await stock({ categoryId, quantity: 0 });
  const others = [];
  for (let n = 0; n < 4; n++) others.push((await stock({ categoryId })).id);
  await shop.untilTold();
  const tagOf = async () => (await shop.call('getProduct', { path: { id: pepper.id } })).headers['etag'];
  expect(await shownWith(pepper.id)).toEqual(others);
  const tag = await tagOf();
  await moveStock(shop.db, first.id, 20);
  expect(await shownWith(pepper.id)).toEqual([first.id, ...others.slice(0, 3)]);
  expect(await tagOf()).not.toBe(tag);
});

test('a card shows its own facts, without the texts', async () => {
  const { id: categoryId } = await shop.category();
  const pepper = await stock({ categoryId });
  const lime = await stock({ categoryId, name: 'Lime', netGrams: 60, priceCents: 500, compareAtCents: 700 });
  expect((await productOf(pepper.id)).goesWellWith).toEqual([
    {
      id: lime.id,
      name: 'Lime',
      price: 5,
      compareAtPrice: 7,
      availability: true,
      quantity: 10,
      imageUrl: null,
      picture: null,
      unitSize: null,
      netGrams: 60,
    },
  ]);
  expect((await shop.call('listProducts', {})).data.products.content[0]).not.toHaveProperty('goesWellWith');
});

test('a night without news writes nothing, and pairs of the past are removed', async () => {
  const [pepper, lime] = [await stock({}), await stock({})];
  await sell(3, [pepper, lime], daysAgo(178));
  await shop.jobs.pairProducts();
  const written = async () =>
    (await shop.pool.query<{ key: string; xmin: string }>('select key, xmin from product_pairs order by key')).rows;
  const before = await written();
  expect(before.map(({ key }) => key)).toEqual(expect.arrayContaining([pepper.id, lime.id]));
  await shop.jobs.pairProducts();
  expect(await written()).toEqual(before);
  shop.clock.advance(3 * dayMs);
  await shop.jobs.pairProducts();
  const left = await shop.db
    .select()
    .from(productPairs)
    .where(inArray(productPairs.key, [pepper.id, lime.id]));
  expect(left).toEqual([]);
});

test('a page costs two more statements, however many products its category has', async () => {
  const { id: categoryId } = await shop.category();
  const pepper = await stock({ categoryId });
  for (let n = 0; n < 6; n++) await stock({ categoryId });
  await shop.untilTold();
  expect(await countQueries(shop.pool, () => productOf(pepper.id))).toBe(3);
});
