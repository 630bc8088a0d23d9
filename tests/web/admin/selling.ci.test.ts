import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { discounts, orders } from '../../../src/server/db/schema/tables';
import type { Schema } from '../../../src/shared/contract';
import { paidOrder } from '../../support/buying';
import { someCode } from '../../support/discountScenarios';
import { collectTax, offerDelivery, sellPlainly } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, box, choose, fill, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // orders and codes are created before the first tab is open
});
beforeEach(async () => (admin = await shop.signIn({ role: 'ROLE_ADMIN' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

const made = async (facts: Partial<Schema<'DiscountForm'>>) =>
  (await shop.call('createDiscount', { as: admin, body: someCode(facts) })).data.discount;
const kept = async (code: string) => (await shop.db.select().from(discounts).where(eq(discounts.code, code)))[0];

describe('a discount code', () => {
  test('is created beside a preview for customers, turned off by its switch, and listed', async () => {
    tab = openTab(shop, '/admin/discounts/new', { as: admin });
    await fill('Code', ' kitchen5 ');
    (await box('Fixed amount')).click();
    await fill('Amount', '5,00');
    await see(/KITCHEN5 −\$5\.00.*\$31\.80.*Discount \(KITCHEN5\)−\$5\.00/);
    await fill('Minimum purchase', '$50');
    await see('Below the minimum: "Spend $50.00 or more to use this code"');
    await fill('Total uses', '100');
    await fill('End date', '2031-12-31');
    await press('Active');
    await press('Save');
    await see('Code added');
    await see(/KITCHEN5.*\$5\.00 off.*\$50\.00 minimum, until Dec 31, 2031.*0 of 100.*\$0\.00.*Inactive/);
    expect(await kept('KITCHEN5')).toMatchObject({
      isActive: false,
      amountCents: 500,
      minimumCents: 5_000,
      maxUses: 100,
      endsAt: new Date('2032-01-01T05:00:00Z'),
    });
  });

  test('that can make an order free warns staff while they write it', async () => {
    tab = openTab(shop, '/admin/discounts/new', { as: admin });
    await fill('Percent', '99');
    expect(document.body.textContent).not.toContain('This code can make an order free.');
    await fill('Percent', '100');
    await see('This code can make an order free. Orders must total at least $0.50');
    (await box('Fixed amount')).click();
    await fill('Amount', '5.00');
    await see('This code can make an order free.');
    await fill('Minimum purchase', '5.50');
    await until(() => !document.body.textContent.includes('This code can make an order free.'));
  });

  test('is limited to some categories, and the list says so', async () => {
    const { id, name } = await shop.category();
    const title = name.replace('-', ' ');
    const { code } = await made({ categoryIds: [id] });
    tab = openTab(shop, `/admin/discounts?q=${code}`, { as: admin });
    await see(new RegExp(`${code}.*10% off.*${title}`, 'i'));
    await press(code);
    await see('With other items only: "That code doesn\'t apply to anything in your cart"');
  });

  test('keeps a colleague’s changes when it is switched, and when that is undone', async () => {
    const { id, code } = await made({ kind: 'percent', percent: 10 });
    const byColleague = (facts: object) =>
      shop.call('updateDiscount', { as: admin, path: { discountId: id }, body: { code, kind: 'percent', ...facts } });
    tab = openTab(shop, `/admin/discounts?q=${code}`, { as: admin });
    await see(/10% off/);
    await byColleague({ percent: 20, note: 'For the flyer' });
    await press(`More actions for ${code}`);
    await choose('Deactivate');
    await see(`${code} is inactive`);
    expect(await kept(code)).toMatchObject({ isActive: false, percent: 20, note: 'For the flyer' });
    await byColleague({ percent: 30, isActive: false });
    await press('Undo');
    await see(`${code} is active`);
    expect(await kept(code)).toMatchObject({ isActive: true, percent: 30 });
  });

  test('gets from its form only the changed fields, and its discount as a whole', async () => {
    const { id, code } = await made({ kind: 'percent', percent: 10, note: 'For the flyer' });
    const byColleague = (facts: object) =>
      shop.call('updateDiscount', { as: admin, path: { discountId: id }, body: { code, kind: 'percent', ...facts } });
    const form = `/admin/discounts/${id}`;
    tab = openTab(shop, form, { as: admin });
    await fill('Note', 'For the fair');
    await byColleague({ percent: 20, maxUses: 50, note: 'For the flyer' });
    await press('Save');
    const isBack = () => until(() => /^\/admin\/discounts(\?|$)/.test(tab.path()));
    await isBack();
    expect(await kept(code)).toMatchObject({ percent: 20, maxUses: 50, note: 'For the fair' });
    await tab.go(form);
    await fill('Percent', '25');
    await byColleague({ kind: 'amount', amount: 5 });
    await press('Save');
    await isBack();
    expect(await kept(code)).toMatchObject({ kind: 'percent', percent: 25, amountCents: null, maxUses: null });
  });

  test('that was used keeps its name, shows its revenue, and leads to the orders with it', async () => {
    const { id, code } = await made({});
    const { orderId, orderNumber } = await paidOrder(shop);
    const other = await paidOrder(shop);
    await shop.db.update(orders).set({ discountId: id }).where(eq(orders.id, orderId));
    tab = openTab(shop, `/admin/discounts/${id}`, { as: admin });
    await see("This code has been used, so its name can't change");
    await see('Revenue $4.50');
    expect((await box('Code')).readOnly).toBe(true);
    await press('View 1 order');
    await see(`Discount code: ${code}`);
    await see(`#${orderNumber}`);
    expect(document.body.textContent).not.toContain(`#${other.orderNumber}`);
  });
});

describe('a report', () => {
  test('adds up, and a name leads to the orders that it counts', async () => {
    const { orderNumber } = await paidOrder(shop, { name: 'Grains of paradise', priceCents: 1_234 }, 2);
    const { data } = await shop.call('getDashboard', { as: admin, query: { period: 'year' } });
    tab = openTab(shop, '/admin/reports', { as: admin });
    await see('Net total by product');
    const revenue = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    await see(`: ${revenue.format(data.dashboard.revenue)}`);
    await press('Grains of paradise');
    await see('Product: Grains of paradise');
    await see(`#${orderNumber}`);
    await see('1–1 of 1');
  });

  test('adds up on screen in every row and in its sum, for every grouping', async () => {
    await offerDelivery(shop, { priceCents: 595 });
    await collectTax(shop, 'GA', 40_000, true);
    const { orderId } = await paidOrder(shop, { priceCents: 1_234 }, 2);
    const refund = { reason: 'Late', delivery: true as const };
    await shop.call('refundOrder', { as: admin, path: { orderId }, body: refund });
    const cents = (text: string) =>
      text === '–' ? 0 : Math.round(Number(text.replace('−', '-').replace(/[$,]/g, '')) * 100);
    for (const by of ['product', 'category', 'month', 'state']) {
      tab = openTab(shop, `/admin/reports?report=${by}`, { as: admin });
      await see(`Net total by ${by}`);
      const rows = [...document.querySelectorAll(`[aria-label="Sales by ${by}"] :is(tbody, tfoot) tr`)];
      for (const row of rows) {
        const figures = [...row.querySelectorAll('td[data-name]')]
          .slice(1)
          .map(({ textContent }) => cents(textContent));
        expect(
          figures.slice(0, -1).reduce((sum, part) => sum + part),
          `${by}: ${row.textContent}`,
        ).toBe(figures.at(-1));
      }
      expect(rows.length).toBeGreaterThan(1);
      tab.close();
    }
    await sellPlainly(shop);
  });

  test('is by product, category, month or state, and the URL has which', async () => {
    await paidOrder(shop);
    tab = openTab(shop, '/admin/reports', { as: admin });
    (await box('Month')).click();
    await see('Net total by month');
    await see(/so far/);
    (await box('State')).click();
    await see('Net total by state');
    await see('Georgia');
    await press('Georgia');
    await see('State: Georgia');
  });

  test('shows the largest in its chart on each page, and a page past the end leads to the last one', async () => {
    for (let left = 11; left > 0; left--) await paidOrder(shop);
    tab = openTab(shop, '/admin/reports?page=99', { as: admin });
    await see(/11–1\d of 1\d/);
    await see('Top 10 of 1');
    await until(() => document.querySelectorAll('[role="img"] b').length === 10);
    await press('Page 1');
    await see(/1–10 of 1\d/);
  });

  test('of a period without orders says so', async () => {
    tab = openTab(shop, '/admin/reports?period=custom&from=2020-01-01&to=2020-01-31', { as: admin });
    await see('No paid orders in this period.');
    await until(() => document.querySelectorAll('main table').length === 0);
  });
});
