import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { buy, placeOrder } from '../../support/buying';
import { moveStock } from '../../support/catalog';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const add = (as: Person, productId: string, quantity: number) =>
  shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId, quantity } });
const change = (productId: string, set: Partial<typeof products.$inferInsert>) =>
  shop.db.update(products).set(set).where(eq(products.id, productId));
const preview = (as: Person, orderId: string) => shop.call('previewReorder', { as, path: { orderId } });

async function ordered(...bought: [Parameters<TestShop['stock']>[0], units: number][]) {
  const as = await shop.signIn();
  const ids: string[] = [];
  for (const [product, units] of bought) {
    const { id } = await shop.stock(product);
    ids.push(id);
    await add(as, id, units);
  }
  const { data } = await placeOrder(shop, as);
  await buy(shop, { sessionId: /cs_test_\w+/.exec(data.paymentUrl)?.[0] ?? '' });
  return { as, ids, orderId: data.orderId };
}

test('items available as before are listed as before, and nothing is added', async () => {
  const { as, orderId } = await ordered([{ name: 'Cumin', priceCents: 435, quantity: 9 }, 2]);
  const { data } = await preview(as, orderId);
  expect(data.reorder).toMatchObject({
    orderId,
    lines: [
      { productName: 'Cumin', orderedQuantity: 2, orderedPrice: 4.35, currentPrice: 4.35, quantity: 2, notice: null },
    ],
  });
  const cart = await shop.call('getCart', { as, path: { userId: as.userId } });
  expect(cart.data.cartResponse.cartItems).toEqual([]);
});

test('each line says what changed since: price, stock, sold out, no longer sold', async () => {
  const { as, ids, orderId } = await ordered(
    [{ quantity: 9 }, 2],
    [{ quantity: 6 }, 4],
    [{ quantity: 1 }, 1],
    [{ quantity: 9 }, 1],
    [{ quantity: 9 }, 1],
  );
  const [dearer = '', , , off = '', archived = ''] = ids;
  await change(dearer, { priceCents: 500, name: 'A new name' });
  await change(off, { availability: false });
  await change(archived, { archivedAt: shop.clock.now() });
  const { lines } = (await preview(as, orderId)).data.reorder;
  expect(lines.map(({ notice, quantity, stock }) => [notice, quantity, stock])).toEqual([
    ['price_changed', 2, 7],
    ['not_enough_stock', 2, 2],
    ['out_of_stock', 0, 0],
    ['out_of_stock', 0, 8],
    ['archived', 0, 8],
  ]);
  expect(lines[0]).toMatchObject({ productName: 'A new name', orderedPrice: 4.5, currentPrice: 5 });
});

test('what is already in the cart counts', async () => {
  const { as, ids, orderId } = await ordered([{ quantity: 10 }, 4]);
  await add(as, ids[0] ?? '', 5);
  expect((await preview(as, orderId)).data.reorder.lines).toMatchObject([
    { inCart: 5, stock: 6, quantity: 1, notice: 'not_enough_stock' },
  ]);
});

test('another customer’s order looks missing, to staff too', async () => {
  const { orderId } = await ordered([{}, 1]);
  const missing = await preview(await shop.signIn(), randomUUID());
  for (const role of ['ROLE_CUSTOMER', 'ROLE_ADMIN', 'ROLE_OWNER'] as const) {
    const refused = await preview(await shop.signIn({ role }), orderId);
    expect(refused).toMatchObject({ status: 404, code: 'order_not_found' });
    expect({ ...refused.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
  }
});

test('a product that is gone offers the size in stock whose price is closest, unless it is ordered already', async () => {
  const sizeGroup = randomUUID();
  const same = { sizeGroup, name: 'Afra Grill Rub' };
  const { as, ids, orderId } = await ordered(
    [{ ...same, netGrams: 110, priceCents: 795, quantity: 9 }, 2],
    [{ ...same, netGrams: 60, priceCents: 790, quantity: 9 }, 1],
    [{ name: 'Cumin', quantity: 9 }, 1],
  );
  await shop.stock({ ...same, netGrams: 30, priceCents: 796, quantity: 0 });
  await shop.stock({ ...same, netGrams: 40, priceCents: 797, archivedAt: shop.clock.now() });
  const bag = await shop.stock({ ...same, netGrams: 450, priceCents: 2650 });
  await shop.stock({ ...same, netGrams: 1000, priceCents: 5200 });
  const insteadOf = async () =>
    (await preview(await shop.again(as), orderId)).data.reorder.lines.map(({ instead }) => instead);
  expect(await insteadOf()).toEqual([undefined, undefined, undefined]);
  const [jar = '', , cumin = ''] = ids;
  await moveStock(shop.db, jar, -7);
  await change(cumin, { archivedAt: shop.clock.now() });
  const offered = { productId: bag.id, productName: 'Afra Grill Rub', imageUrl: null, price: 26.5, netGrams: 450 };
  expect(await insteadOf()).toEqual([offered, undefined, undefined]);
  await change(jar, { archivedAt: shop.clock.now() });
  expect(await insteadOf()).toEqual([offered, undefined, undefined]);
  await add(await shop.again(as), bag.id, 1);
  expect((await insteadOf())[0]).toMatchObject({ netGrams: 1000 });
});
