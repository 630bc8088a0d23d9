import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BodyOf, Schema } from '../../../src/shared/contract';
import { formatMoney, toCents } from '../../../src/shared/money';
import { madeRefunds, paidCents, refundParts } from '../../../src/shared/receipt';
import { sumCents } from '../../../src/shared/total';
import { orderLines } from '../../../src/shared/totalLines';
import { capture, checkBooks, ledger, putInCart } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { mailsOf, runDueJobs } from '../../support/mails';
import { seededRandom } from '../../support/random';
import { collectTax, makeCode, offerDelivery, orderTo } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** Rule: docs/rules/orders-and-payment.md, The total */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const buyers = isNightly ? 8 : 3;
const ordersEach = isNightly ? 25 : 1;
type Order = Schema<'Order'>;

test(
  `of ${buyers * ordersEach} orders with methods, rates, codes and refunds the provider, the order, the receipt, the mail and the CSV file say the same, to the cent`,
  { timeout: 600_000 },
  async () => {
    const { below, oneOf } = seededRandom();
    const codes = await setUp();
    const products: string[] = [];
    // the most expensive code leaves enough to be paid by card
    for (let each = 0; each < 12; each++)
      products.push((await shop.stock({ priceCents: 390 + below(4000), quantity: 9000, name: `Spice ${each}` })).id);
    await shop.pool.query('update products set taxable = false where id = any($1)', [products.slice(0, 4)]);
    const staff = await shop.signIn({ role: 'ROLE_OWNER' }); // the only one who can read mails
    const people: Person[] = [];
    for (let each = 0; each < buyers; each++) people.push(await shop.signIn());

    // chosen beforehand, so that the seed alone decides what happens
    const plans = people.map((person) => ({
      person,
      orders: Array.from({ length: ordersEach }, () => ({
        units: products.filter(() => below(4) === 0).map((id) => ({ id, units: 1 + below(9) })),
        first: { id: oneOf(products), units: 1 + below(5) },
        state: oneOf(['GA', 'CA', 'OH', 'TX']),
        code: oneOf([...codes, '']),
        refunds: Array.from({ length: below(3) }, () => ({ kind: below(3), part: below(1000), units: below(9) })),
      })),
    }));
    const placed: { orderId: string; sessionId: string }[] = [];
    await Promise.all(
      plans.map(async ({ person, orders }) => {
        for (const plan of orders) {
          const lines = plan.units.length > 0 ? plan.units : [plan.first];
          for (const { id, units } of lines) await putInCart(shop, person, id, units);
          const { data, message } = await orderTo(
            shop,
            person,
            plan.state,
            plan.code ? { discountCode: plan.code } : {},
          );
          expect(message).toBe('Order created successfully');
          const sessionId = /cs_test_\w+/.exec(data.paymentUrl)?.[0] ?? '';
          await shop.control('pay', { session: sessionId });
          await capture(shop, person, { sessionId, userId: person.userId, cartId: person.cartId });
          placed.push({ orderId: data.orderId, sessionId });
          for (const wish of plan.refunds) await giveBack(staff, data.orderId, wish);
        }
      }),
    );

    while ((await shop.pool.query(`select 1 from mails where state = 'waiting'`)).rowCount) await runDueJobs(shop);
    const { sessions } = await ledger(shop);
    const file = await shop.app.inject({
      url: '/api/admin/orders/export',
      headers: { authorization: `Bearer ${staff.token}` },
    });
    const rows = parse(file.body, { columns: true, bom: true }) as unknown as Row[];
    for (const { orderId, sessionId } of placed) {
      const order = (await shop.call('getOrder', { as: staff, path: { orderId } })).data.orderResponse;
      const why = `order ${order.orderNumber}`;
      const total = toCents(order.totalAmount);
      expect(sessions.find(({ id }) => id === sessionId)?.amount_total, why).toBe(total);
      expect(partsOf(order), why).toBe(total);
      expect(sumOfTexts(order), why).toBe(total);
      expect(
        rows.find((row) => row['Order ID'] === `#${order.orderNumber}`),
        why,
      ).toMatchObject(rowOf(order));
      await expectMails(staff, order, why);
    }
  },
);

async function setUp(): Promise<string[]> {
  await offerDelivery(shop, { name: 'Standard', priceCents: 595, freeFromCents: 6000 });
  await offerDelivery(shop, { name: 'Pickup', priceCents: 0, states: ['TX'] });
  await collectTax(shop, 'GA', 40_000, true);
  await collectTax(shop, 'CA', 72_500);
  await collectTax(shop, 'OH', 57_501, true);
  return [
    await makeCode(shop, { percent: 7 }),
    await makeCode(shop, { kind: 'amount', amountCents: 333 }),
    await makeCode(shop, { kind: 'free_delivery' }),
  ];
}

type Wish = { kind: number; part: number; units: number };

/** By lines, another amount, or the rest; what an order does not have is rejected, which is right too. */
async function giveBack(as: Person, orderId: string, { kind, part, units }: Wish): Promise<void> {
  const { orderItems, totalAmount } = (await shop.call('getOrder', { as, path: { orderId } })).data.orderResponse;
  const item = orderItems[part % orderItems.length];
  const asked: Partial<BodyOf<'refundOrder'>>[] = [
    {
      lines: [
        { orderItemId: item?.orderItemId ?? '', quantity: 1 + (units % (item?.quantity ?? 1)), restock: part > 500 },
      ],
    },
    { delivery: true, customerNote: 'The parcel was late.' },
    { amount: Math.max(1, Math.floor((toCents(totalAmount) * part) / 2000)) / 100 },
  ];
  const body = { reason: 'Asked for', ...asked[kind] };
  const { status } = await shop.call('refundOrder', { as, path: { orderId }, body });
  expect([200, 409]).toContain(status);
}
const partsOf = ({ goods, discount, delivery, tax }: Order) =>
  toCents(goods) - toCents(discount?.amount ?? 0) + toCents(delivery?.price ?? 0) + toCents(tax?.amount ?? 0);

/** What a reader of the receipt would add up. */
function sumOfTexts(order: Order): number {
  const lines = orderLines(order);
  if (lines.length === 0) return toCents(order.totalAmount);
  return sumCents(lines.map(({ text }) => centsOf(text)));
}
function centsOf(text: string): number {
  if (text === 'Free') return 0;
  const cents = toCents(Number(text.replaceAll(/[−$,]/g, '')));
  return text.startsWith('−') ? -cents : cents;
}

type Row = Record<string, string>;
const rowOf = (order: Order): Row => ({
  Amount: order.totalAmount.toFixed(2),
  Refunded: (-(order.refundedAmount ?? 0)).toFixed(2),
  Subtotal: (order.goods ?? 0).toFixed(2),
  Discount: (-(order.discount?.amount ?? 0)).toFixed(2),
  'Discount code': order.discount?.code ?? '',
  Delivery: (order.delivery?.price ?? 0).toFixed(2),
  'Delivery method': order.delivery?.name ?? '',
  Tax: (order.tax?.amount ?? 0).toFixed(2),
  'Tax state': order.tax?.state ?? '',
});

async function expectMails(as: Person, order: Order, why: string): Promise<void> {
  const mails = await mailsOf(shop, order.id);
  const read = async (mailId: string): Promise<string> =>
    (await shop.call('getMail', { as, path: { mailId } })).data.content.text ?? '';
  const [confirmation] = mails.filter(({ kind }) => kind === 'order_confirmation');
  const text = await read(confirmation?.id ?? '');
  for (const line of orderLines(order)) expect(text, why).toContain(`${line.label}  ${line.text}`);
  expect(text, why).toContain(`Total  ${formatMoney(toCents(order.totalAmount))}`);

  const made = madeRefunds(order);
  expect(paidCents(order), why).toBe(toCents(order.totalAmount) - sumCents(made.map(({ amount }) => toCents(amount))));
  for (const refund of made) {
    const mail = mails.find(({ facts }) => (facts as { refundId?: string } | null)?.refundId === refund.id);
    const said = await read(mail?.id ?? '');
    const parts = refundParts(refund, 'us');
    if (parts.length > 0) expect(-sumCents(parts.map((part) => centsOf(part.text))), why).toBe(toCents(refund.amount));
    for (const part of parts) expect(said, why).toContain(`${part.label}  ${part.text}`);
    if (refund.customerNote) expect(said, why).toContain(refund.customerNote);
  }
}
