/** Sizes on the lines of carts and orders. Rule: docs/rules/orders-and-payment.md, An order */
import { randomUUID } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { buy, cartOf, placedOrder, shopperWith } from '../../support/buying';
import { mailsOf } from '../../support/mails';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterAll(() => shop.close());

/** Three sizes of one product: by weight, by volume, and as staff wrote it. */
async function stockSizes() {
  const same = { sizeGroup: randomUUID(), name: 'Afra Grill Rub' };
  return [
    await shop.stock({ ...same, netGrams: 110, unitSize: 'jar' }),
    await shop.stock({ ...same, netMillilitres: 237 }),
    await shop.stock({ ...same, unitSize: 'Family sack' }),
  ];
}

const sizes = [{ netGrams: 110, unitSize: 'jar' }, { netMillilitres: 237 }, { unitSize: 'Family sack' }];
const inWords = ['Afra Grill Rub, 3.9 oz (110 g)', 'Afra Grill Rub, 8 fl oz (237 ml)', 'Afra Grill Rub, Family sack'];

test('three sizes of a product can be told apart in the cart, the order, its mails, a refund, and a reorder', async () => {
  const stocked = await stockSizes();
  const as = await shopperWith(shop, 2, ...stocked);
  expect((await cartOf(shop, as)).cartItems).toMatchObject(sizes);
  const order = await placedOrder(shop, as);
  const path = { orderId: order.orderId };

  const { content } = (await shop.call('listHolds', { as: owner, query: { size: 100 } })).data.holds;
  const held = content.find(({ orderId }) => orderId === order.orderId)?.lines ?? [];
  expect(held.map(({ unitSize, netGrams, netMillilitres }) => unitSize ?? netGrams ?? netMillilitres)).toEqual(
    expect.arrayContaining(['jar', 237, 'Family sack']),
  );

  await buy(shop, order);
  // later changes of the products change no order
  await shop.db
    .update(products)
    .set({ netGrams: null, netMillilitres: null, unitSize: 'New size' })
    .where(
      inArray(
        products.id,
        stocked.map(({ id }) => id),
      ),
    );
  const read = async () => (await shop.call('getOrder', { as: owner, path })).data.orderResponse;
  const { orderItems } = await read();
  expect(orderItems).toMatchObject(sizes);
  const lines = orderItems.map(({ orderItemId }) => ({ orderItemId, quantity: 1 }));
  await shop.call('refundOrder', { as: owner, path, body: { lines, reason: 'Asked for' } });
  expect((await read()).refunds[0]?.lines).toMatchObject(sizes);
  await shop.call('updateOrderStatus', { as: owner, path: { ...path, status: 'OUT_FOR_DELIVERY' } });

  const textOf = async (kind: string): Promise<string> => {
    const mail = (await mailsOf(shop, order.orderId)).find((each) => each.kind === kind);
    const { data } = await shop.call('getMail', { as: owner, path: { mailId: mail?.id ?? '' } });
    return data.content.text ?? '';
  };
  const [confirmation, shipped, refunded] = [
    await textOf('order_confirmation'),
    await textOf('out_for_delivery'),
    await textOf('refund'),
  ];
  for (const name of inWords) {
    expect(confirmation).toContain(`2 × ${name}  $`);
    expect(shipped).toContain(`${name}  1`);
    expect(refunded).toContain(`${name}, 1  `);
  }

  const reorder = (await shop.call('previewReorder', { as: await shop.again(as), path })).data.reorder;
  expect(reorder.lines.map(({ unitSize }) => unitSize)).toEqual(['New size', 'New size', 'New size']);
});

test('a line of a product without a size looks as before', async () => {
  const as = await shopperWith(shop, 1, await shop.stock());
  const facts = ['unitSize', 'netGrams', 'netMillilitres'];
  expect(Object.keys((await cartOf(shop, as)).cartItems[0] ?? {})).not.toEqual(expect.arrayContaining(facts));
  const order = await placedOrder(shop, as);
  await buy(shop, order);
  const { data } = await shop.call('getOrder', { as: await shop.again(as), path: { orderId: order.orderId } });
  expect(Object.keys(data.orderResponse.orderItems[0] ?? {}).filter((name) => facts.includes(name))).toEqual([]);
  const [mail] = await mailsOf(shop, order.orderId);
  const { content } = (await shop.call('getMail', { as: owner, path: { mailId: mail?.id ?? '' } })).data;
  expect(content.text).toContain('1 × Black pepper  $4.50');
});
