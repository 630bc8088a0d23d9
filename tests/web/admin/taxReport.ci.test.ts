import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { statesOf } from '../../../src/shared/usStates';
import { paidOrder } from '../../support/buying';
import { collectTax } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, control, miss, openTab, press, see, type Tab, until } from '../openTab';

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

const cellsOf = (row: Element) => [...row.querySelectorAll('td')].map(({ textContent }) => cents(textContent));
const cents = (text: string) => Math.round(Number(text.replace('−', '-').replaceAll(/[$,%]/g, '')) * 100) || 0;
const rows = (part: 'tbody' | 'tfoot') => [...document.querySelectorAll(`main table ${part} tr`)];

test('the sales tax of each state adds up on screen, and its figures lead to their orders', async () => {
  await collectTax(shop, 'GA', 40_000);
  const { orderId, orderNumber } = await paidOrder(shop, { priceCents: 1_250 }, 2);
  await paidOrder(shop, { priceCents: 999, taxable: false });
  const body = { reason: 'Late', amount: 5 };
  await shop.call('refundOrder', { as: admin, path: { orderId }, body });
  for (const code of statesOf({}).slice(0, 5)) {
    const other = await paidOrder(shop, { priceCents: 777 });
    const plain = `tax_state = null, tax_rate_ppm = null, taxed_cents = 0, total_cents = total_cents - tax_cents`;
    await shop.pool.query(`update order_items set tax_cents = 0 where order_id = $1`, [other.orderId]);
    await shop.pool.query(`update orders set state = $2, ${plain}, tax_cents = 0 where id = $1`, [other.orderId, code]);
  }
  tab = openTab(shop, '/admin/reports/tax?period=today', { as: admin });
  await see('By state');
  await see('3 other states');
  await see('7 orders, with delivery');
  await press('Show all states');
  await miss('3 other states');
  await see('Arkansas');
  const shown = rows('tbody');
  expect(shown).toHaveLength(6);
  expect(shown[0]?.textContent).toContain('Georgia');
  expect(shown.slice(1).every(({ textContent }) => textContent.includes('Not collecting'))).toBe(true);
  const sums = shown.map(cellsOf).reduce((all, row) => all.map((cell, place) => cell + (row[place] ?? 0)));
  const [total = []] = rows('tfoot').map(cellsOf);
  const rate = 4; // the column that is no sum
  expect(total.toSpliced(rate, 1)).toEqual(sums.toSpliced(rate, 1));
  const [, gross = 0, exempt = 0, taxable = 0, , tax = 0, refunded = 0, toRemit] = cellsOf(shown[0]!);
  expect([gross, exempt, taxable, tax, refunded]).toEqual([3_499, 999, 2_500, 100, -19]);
  expect(toRemit).toBe(tax + refunded);
  await press('2 orders in Georgia');
  await see(`#${orderNumber}`);
  await see('1–2 of 2');
});

test('the reports are beside each other, and the chosen period stays', async () => {
  tab = openTab(shop, '/admin/reports/tax?period=90days', { as: admin });
  await see('Last 90 days');
  await press('Revenue');
  await see('Net total by product');
  await see('Last 90 days');
  await press('Sales tax', document.querySelector('nav[aria-label="Report pages"]')!);
  await see('By state');
  expect((await control('Last 90 days')).tagName).toBe('BUTTON');
});

test('a period without orders says so', async () => {
  tab = openTab(shop, '/admin/reports/tax?period=custom&from=2020-01-01&to=2020-01-31', { as: admin });
  await see('No paid orders in this period.');
  await until(() => document.querySelectorAll('main table').length === 0);
});
