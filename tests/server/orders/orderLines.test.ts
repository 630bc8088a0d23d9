import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../support/backOffice';
import { buy, checkBooks, delivery, ledger, placedOrder, putInCart } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { seededRandom } from '../../support/random';
import { collectTax, makeCode, offerDelivery } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { randomOrder, type Shelf, writeOrders } from '../../support/soldOrders';

/** Orders as a file with a row per line. Rule: docs/rules/back-office.md, Orders */
let shop: TestShop;
let admin: Person;
let codes: string[];
let deliveryMethodId: string;
let shelf: Shelf[];
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  await collectTax(shop, 'GA', 57_500, true);
  deliveryMethodId = await offerDelivery(shop, { priceCents: 595, name: 'Standard' });
  codes = [
    await makeCode(shop),
    await makeCode(shop, { kind: 'amount', amountCents: 333 }),
    await makeCode(shop, { percent: 100 }),
  ];
  shelf = [];
  for (const [place, priceCents] of [199, 333, 450, 1_299].entries()) {
    const { id: categoryId } = await shop.category();
    const product = { categoryId, priceCents, quantity: 10_000, taxable: place !== 1, unitSize: '4 oz jar' };
    const { id: productId } = await shop.stock({ ...product, name: `Spice ${place}` });
    shelf.push({ productId, priceCents, categoryId });
  }
  await shop.pool.query(`update products set sku = 'RUB-' || price_cents`);
});
afterAll(() => shop.close());

type Row = Record<string, string>;
type Random = ReturnType<typeof seededRandom>;
const fileOf = async (query: Record<string, string> = {}) => {
  const url = `/api/admin/orders/export?${new URLSearchParams(query).toString()}`;
  const headers = { authorization: `Bearer ${(admin = await shop.again(admin)).token}` };
  return (await shop.app.inject({ url, headers })).body;
};
const linesOf = async (query: Record<string, string> = {}) => rowsOf(await fileOf({ ...query, form: 'lines' }));
const cents = (cell = '') => Math.round(Number(cell) * 100);
const sum = (rows: readonly Row[], header: string) => rows.reduce((all, row) => all + cents(row[header]), 0);

async function live(random: Random): Promise<void> {
  const as = await shop.signIn();
  const some = shelf.filter(() => random.below(2) > 0);
  for (const { productId } of some.length > 0 ? some : shelf.slice(0, 1))
    await putInCart(shop, as, productId, 1 + random.below(4));
  const code = random.below(2) > 0 ? { discountCode: random.oneOf(codes) } : {};
  const order = await placedOrder(shop, as, { ...delivery, ...code, deliveryMethodId });
  if (random.below(8) === 0) return;
  await buy(shop, order);
  const path = { orderId: order.orderId };
  const { orderItems } = (await shop.call('getOrder', { as: admin, path })).data.orderResponse;
  const refund = (body: object) =>
    shop.call('refundOrder', { as: admin, path, body: { reason: 'Asked for', restock: false, ...body } });
  if (random.below(2) > 0) {
    const lines = orderItems.map(({ orderItemId, quantity }) => ({
      orderItemId,
      quantity: random.below(quantity + 1),
      restock: false,
    }));
    await refund({ lines: lines.filter(({ quantity }) => quantity > 0), delivery: random.below(2) > 0 });
  }
  if (random.below(2) > 0) await refund({ amount: (1 + random.below(400)) / 100 });
  if (random.below(6) === 0) await refund({});
}

const lives = isNightly ? 150 : 10;
test(
  `the rows of ${lives} orders add up to the orders, to the cent, and to the provider's payments and refunds`,
  { timeout: lives * 10_000 },
  async () => {
    const random = seededRandom();
    for (let life = 0; life < lives; life++) await live(random);
    await checkBooks(shop);
    const lines = await linesOf();
    for (const order of rowsOf(await fileOf())) {
      const own = lines.filter((line) => line['Order ID'] === order['Order ID']);
      for (const header of ['Subtotal', 'Discount', 'Delivery', 'Tax', 'Amount', 'Refunded'])
        expect([order['Order ID'], header, sum(own, header)]).toEqual([
          order['Order ID'],
          header,
          cents(order[header]),
        ]);
      for (const header of ['Order Date', 'Paid', 'Status', 'Customer Name', 'Email', 'State', 'Discount code'])
        expect(own.map((line) => line[header])).toEqual(own.map(() => order[header]));
    }
    for (const line of lines) {
      const parts = sum([line], 'Subtotal') + sum([line], 'Discount') + sum([line], 'Delivery') + sum([line], 'Tax');
      expect(cents(line['Amount'])).toBe(parts);
      expect(cents(line['Refunded'])).toBeGreaterThanOrEqual(-parts);
      expect(cents(line['Refunded tax'])).toBeGreaterThanOrEqual(cents(line['Refunded']));
      expect(Number(line['Refunded units'])).toBeLessThanOrEqual(Number(line['Units']));
    }
    const { sessions, refunds } = await ledger(shop);
    expect(refunds.length).toBeGreaterThan(0);
    for (const { payment_intent: payment, amount_total: amount } of sessions) {
      const own = lines.filter((line) => payment && line['Payment ID'] === payment);
      if (!payment || own.length === 0) continue;
      const back = refunds.filter(({ payment_intent: of }) => of === payment);
      expect(sum(own, 'Amount')).toBe(amount);
      expect(sum(own, 'Refunded')).toBe(0 - back.reduce((all, { amount: cents }) => all + cents, 0));
    }
  },
);

test('a row says what was bought, and an empty list has no rows', async () => {
  const as = await shop.signIn();
  await putInCart(shop, as, shelf[1]?.productId ?? '', 3);
  await putInCart(shop, as, shelf[3]?.productId ?? '', 1);
  const order = await placedOrder(shop, as, { ...delivery, deliveryMethodId, discountCode: codes[0] });
  await buy(shop, order);
  const rows = await linesOf({ q: `#${order.orderNumber}` });
  expect(rows).toMatchObject([
    { SKU: 'RUB-333', Product: 'Spice 1', Size: '4 oz jar', Units: '3', 'Unit price': '3.33', Subtotal: '9.99' },
    { SKU: 'RUB-1299', Product: 'Spice 3', Size: '4 oz jar', Units: '1', 'Unit price': '12.99', Subtotal: '12.99' },
  ]);
  expect(rows.map((row) => [row['Discount'], row['Refunded'], row['Status']])).toEqual([
    ['-1.00', '0.00', 'Paid'],
    ['-1.30', '0.00', 'Paid'],
  ]);
  expect(rows[0]?.['Order Date']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/);
  expect(rows[0]?.['Payment ID']).toMatch(/^pi_/);
  expect(await linesOf({ q: 'no such customer' })).toEqual([]);
});

test('orders of every kind add up, with refunds of all kinds', async () => {
  const random = seededRandom();
  const until = shop.clock.now();
  const from = new Date(until.getTime() - 100 * 86_400_000);
  const made = Array.from({ length: isNightly ? 2_000 : 600 }, () =>
    randomOrder(random, { shelf, discountIds: [], from, until }),
  ).filter(({ totalCents }) => totalCents > 0);
  await writeOrders(shop.pool, made, (await shop.signIn()).userId);
  const lines = await linesOf();
  for (const order of made) {
    const own = lines.filter((line) => line['Order ID'] === `#T-${order.id}`);
    const refunds = order.refunds.filter(({ state, strayPaymentId }) => state === 'done' && strayPaymentId === null);
    expect(own).toHaveLength(order.lines.length);
    expect({
      discount: sum(own, 'Discount'),
      delivery: sum(own, 'Delivery'),
      tax: sum(own, 'Tax'),
      total: sum(own, 'Amount'),
      refunded: sum(own, 'Refunded'),
      refundedTax: sum(own, 'Refunded tax'),
    }).toEqual({
      discount: 0 - order.discountCents,
      delivery: order.deliveryCents,
      tax: order.taxCents,
      total: order.totalCents,
      refunded: 0 - refunds.reduce((all, { amountCents }) => all + amountCents, 0),
      refundedTax: 0 - refunds.reduce((all, { taxCents }) => all + taxCents, 0),
    });
  }
});
