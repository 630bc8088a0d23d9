import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { orders } from '../../../src/server/db/schema/tables';
import { buy, placedOrder, putInCart } from '../../support/buying';
import { someCode } from '../../support/discountScenarios';
import { collectTax, offerDelivery, orderTo, sellPlainly } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, box, miss, openTab, press, see, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
});
beforeEach(async () => (admin = await shop.signIn({ role: 'ROLE_ADMIN' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A new customer's paid order of one product. */
async function sell(product: { name: string; priceCents: number; unitCostCents?: number }, quantity = 1) {
  const as = await shop.signIn();
  await putInCart(shop, as, (await shop.stock(product)).id, quantity);
  const order = await placedOrder(shop, as);
  await buy(shop, order);
  return order;
}

test('while no unit sold has a cost, gross profit is a dash that says why', async () => {
  await sell({ name: 'Mace', priceCents: 1_000 });
  tab = openTab(shop, '/admin/reports/summary', { as: admin });
  await see('Cost of sales—');
  await see('Unknown. No unit sold in this period has a cost.');
  tab.close();
  tab = openTab(shop, '/dashboard?period=today', { as: admin });
  await see('Net sales$10.00Gross profit—Unknown. No unit sold in this period has a cost.');
});

test('adds up on screen, beside gross profit that says how many units have no cost', async () => {
  const { orderId } = await sell({ name: 'Grains of paradise', priceCents: 1_234, unitCostCents: 500 }, 2);
  const [item] = (await shop.call('getOrder', { as: admin, path: { orderId } })).data.orderResponse.orderItems;
  const lines = [{ orderItemId: item?.orderItemId ?? '', quantity: 1, restock: true }];
  await shop.call('refundOrder', { as: admin, path: { orderId }, body: { reason: 'Late', lines } });
  tab = openTab(shop, '/admin/reports/summary', { as: admin });
  await see(/Gross sales\$34\.68–.*Returns−\$12\.34–.*Net salesIncome from items\$22\.34–/);
  await see(/TotalPayments less refunds\$22\.34–/);
  await see('Net sales$22.34Cost of sales−$5.00Restocked, not counted$5.00Gross profit$17.34');
  await see('77.6% margin, – in the period before');
  await see("1 unit without a cost, so gross profit isn't exact. Set unit costs");
  (await box('Gross profit')).click();
  await see('Gross profit by product');
  await see(/Grains of paradise2\$12\.34−\$5\.00\$7\.34/);
  await see(/Mace1\$10\.00——/);
  tab.close();
  tab = openTab(shop, '/dashboard?period=today', { as: admin });
  await see('Net sales$22.34Gross profitabout $17.34');
});

test('its rows add up, whatever they are by, and lead to their orders', async () => {
  const methodId = await offerDelivery(shop, { priceCents: 595 });
  await collectTax(shop, 'GA', 40_000, true);
  const as = await shop.signIn();
  await putInCart(shop, as, (await shop.stock({ name: 'Selim pepper', priceCents: 1_234 })).id);
  const placed = await orderTo(shop, as, 'GA', { deliveryMethodId: methodId });
  await buy(shop, { sessionId: /cs_test_\w+/.exec(placed.data.paymentUrl)?.[0] ?? '' });
  const { id: discountId, code } = (await shop.call('createDiscount', { as: admin, body: someCode() })).data.discount;
  await shop.db.update(orders).set({ discountId }).where(eq(orders.id, placed.data.orderId));
  const cents = (text: string) =>
    text === '–' ? 0 : Math.round(Number(text.replace('−', '-').replace(/[$,]/g, '')) * 100);
  for (const by of ['product', 'category', 'state', 'code', 'month', 'day']) {
    tab = openTab(shop, `/admin/reports/summary?by=${by}`, { as: admin });
    await see(`Sales by ${by}`);
    const rows = [...document.querySelectorAll('[aria-labelledby="sales-rows"] :is(tbody, tfoot) tr')];
    for (const row of rows) {
      const of = (name: string) => cents(row.querySelector(`td[data-name="${name}"]`)?.textContent ?? '–');
      expect(of('Gross sales') + of('Discounts') + of('Returns'), `${by}: ${row.textContent}`).toBe(of('Net sales'));
      expect(of('Net sales') + of('Delivery') + of('Sales tax'), `${by}: ${row.textContent}`).toBe(of('Total'));
    }
    expect(rows.length).toBeGreaterThan(1);
    tab.close();
  }
  await sellPlainly(shop);
  tab = openTab(shop, '/admin/reports/summary?by=code', { as: admin });
  await see('No code');
  await press(code);
  await see(`Discount code: ${code}`);
  await see('1–1 of 1');
});

test('rows come in pages, and a page past the end leads to the last one', async () => {
  for (const name of 'ABCDEFGHIJK') await sell({ name: `Spice ${name}`, priceCents: 900 });
  await sell({ name: 'The cheapest spice', priceCents: 50 });
  tab = openTab(shop, '/admin/reports/summary?page=7', { as: admin });
  await see('The cheapest spice');
  await see(/11–1\d of 1\d/);
  await press('Page 1');
  await see(/1–10 of 1\d/);
  await miss('The cheapest spice');
});

test('of a period without orders says so', async () => {
  tab = openTab(shop, '/admin/reports/summary?period=custom&from=2020-01-01&to=2020-01-31', { as: admin });
  await see('No paid orders in this period.');
  await miss('Set unit costs');
});
