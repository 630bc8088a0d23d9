/**
 * Random lives of orders, bought and refunded through the shop and its provider over half a year. The summary's total is
 * compared with the provider's ledger, and its cost with the ledger of stock.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Schema } from '../../../src/shared/contract';
import { buy, checkBooks, type Order, putInCart } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { seededRandom } from '../../support/random';
import { collectTax, makeCode, offerDelivery, orderTo } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let admin: Person;
let productIds: string[];
let methodId: string;
let codes: string[];
const costs = new Map<string, number | null>();
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  productIds = [];
  for (const [priceCents, unitCostCents] of [
    [450, 120],
    [999, 333],
    [1_250, null],
  ] as const) {
    const { id } = await shop.stock({ priceCents, unitCostCents, quantity: 10_000 });
    productIds.push(id);
    costs.set(id, unitCostCents);
  }
  methodId = await offerDelivery(shop, { priceCents: 650 });
  await collectTax(shop, 'GA', 57_500, true);
  codes = [await makeCode(shop), await makeCode(shop, { kind: 'free_delivery' })];
});
afterAll(() => shop.close());

const [lives, periods] = isNightly ? [150, 200] : [8, 40];
type Random = ReturnType<typeof seededRandom>;

test(
  `in ${periods} periods the total is the provider's, and gross profit that of the ledger of stock`,
  { timeout: lives * 20_000 },
  async () => {
    const random = seededRandom();
    const began = shop.clock.now().getTime();
    for (let life = 0; life < lives; life += 1) {
      await liveOnce(random);
      if (random.below(3) === 0) await shop.jobs.keepDailyMoney();
    }
    const money = await moneyAtProvider();
    const stock = await stockLedger();
    for (let round = 0; round < periods; round += 1) {
      const [from = '', to = ''] = [randomDay(random, began), randomDay(random, began)].toSorted();
      const summary = await read({ from, to });
      const isIn = ({ day }: { day: string }) => day >= from && day <= to;
      const sumOf = (rows: { day: string; cents: number }[]) =>
        rows.filter(isIn).reduce((sum, { cents }) => sum + cents, 0);
      const where = `${from} to ${to}`;
      expect(cents(summary.total), where).toBe(sumOf(money));
      expect(cents(summary.costOfGoods ?? 0), where).toBe(sumOf(stock));
      if (summary.grossProfit !== null)
        expect(cents(summary.grossProfit), where).toBe(cents(summary.netSales) - sumOf(stock));
      expect(cents(summary.grossSales) - cents(summary.discounts) - cents(summary.returns), where).toBe(
        cents(summary.netSales),
      );
      expect(cents(summary.netSales) + cents(summary.delivery) + cents(summary.tax), where).toBe(cents(summary.total));
    }
    await checkBooks(shop);
  },
);

const cents = (dollars: number) => Math.round(dollars * 100);
const hourMs = 3_600_000;
const clock = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
const randomDay = ({ below }: Random, began: number) =>
  clock.format(began + below(1 + shop.clock.now().getTime() - began));

async function read(query: { from: string; to: string }): Promise<Schema<'SalesSummary'>> {
  admin = await shop.again(admin);
  return (await shop.call('getSalesSummary', { as: admin, query })).data.summary;
}

/** An order is paid, and perhaps refunded: by lines, by an amount, or entirely, at once or days later. */
async function liveOnce(random: Random): Promise<void> {
  const as = await shop.signIn();
  for (const id of productIds.slice(random.below(3))) await putInCart(shop, as, id, 1 + random.below(4));
  const code = random.oneOf(['', ...codes]);
  const placed = await orderTo(shop, as, random.oneOf(['GA', 'NY']), {
    deliveryMethodId: methodId,
    ...(code && { discountCode: code }),
  });
  expect(placed.message).toBe('Order created successfully');
  const sessionId = /cs_test_\w+/.exec(placed.data.paymentUrl)?.[0] ?? '';
  await buy(shop, { sessionId });
  for (let refunds = random.below(3); refunds > 0; refunds -= 1) {
    shop.clock.advance(random.below(72) * hourMs);
    await refund(placed.data, random);
  }
  shop.clock.advance(random.below((180 * 24 * 2) / lives) * hourMs);
}

async function refund({ orderId }: Pick<Order, 'orderId'>, random: Random): Promise<void> {
  admin = await shop.again(admin);
  const { orderItems } = (await shop.call('getOrder', { as: admin, path: { orderId } })).data.orderResponse;
  const lines = orderItems
    .map(({ orderItemId, quantity, refundedQuantity }) => ({
      orderItemId,
      quantity: random.below(1 + quantity - refundedQuantity),
      restock: random.below(2) === 0,
    }))
    .filter(({ quantity }) => quantity > 0);
  const given = random.oneOf([
    { lines, ...(random.below(2) === 0 && { delivery: true as const }) },
    { amount: (50 + random.below(300)) / 100 },
    { restock: random.below(2) === 0 },
  ]);
  if ('lines' in given && lines.length === 0) return;
  const answer = await shop.call('refundOrder', {
    as: admin,
    path: { orderId },
    body: { reason: 'Asked for', ...given },
  });
  expect([200, 409]).toContain(answer.status); // or more than was left
}

type Wire = {
  events: { type: string; created: number; data: { object: { amount_total?: number } } }[];
  refunds: { amount: number; created: number; status: string }[];
};

/** What the provider captured, and what it refunded as a negative amount. */
async function moneyAtProvider(): Promise<{ day: string; cents: number }[]> {
  const { events, refunds } = (await shop.control('ledger')) as Wire;
  const paid = events.filter(({ type }) => type === 'checkout.session.completed');
  return [
    ...paid.map(({ created, data }) => ({ created, cents: data.object.amount_total ?? 0 })),
    ...refunds
      .filter(({ status }) => status === 'succeeded')
      .map(({ created, amount }) => ({ created, cents: -amount })),
  ].map(({ created, cents: amount }) => ({ day: clock.format(created * 1_000), cents: amount }));
}

/** The cost of each unit that left the stock with a sale, or came back to it with a refund, as far as it is known. */
async function stockLedger(): Promise<{ day: string; cents: number }[]> {
  const { rows } = await shop.pool.query<{ at: Date; product_id: string; units: number }>(
    `select at, product_id, -(shelf + held) as units from stock_movements
     where kind = 'sale' or kind = 'adjustment' and order_id is not null`,
  );
  return rows.map((row) => ({ day: clock.format(row.at), cents: row.units * (costs.get(row.product_id) ?? 0) }));
}
