/** Every CSV file of the back office. Rule: docs/rules/back-office.md, Lists */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timeIn } from '../../../src/server/http/core/shopDays';
import { defaultSettings } from '../../../src/shared/settings';
import { rowsOf } from '../../support/backOffice';
import { delivery, buy, placedOrder, putInCart } from '../../support/buying';
import { contractOperations } from '../../support/contract';
import { collectTax, makeCode, offerDelivery } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
let orderId: string;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, timeZone: 'Asia/Tokyo' } });
  await offerDelivery(shop, { priceCents: 595 });
  await collectTax(shop, 'GA', 40_000, true);
  const startsAt = new Date('2026-01-01T15:00:00Z');
  const discountCode = await makeCode(shop, { startsAt });
  const as = await shop.signIn();
  await putInCart(shop, as, (await shop.stock({ priceCents: 795, quantity: 5 })).id, 2);
  const order = await placedOrder(shop, as, { ...delivery, discountCode });
  await buy(shop, order);
  orderId = order.orderId;
  const body = { reason: 'Asked for', amount: 5 };
  await shop.call('refundOrder', { as: owner, path: { orderId: order.orderId }, body });
});
afterAll(() => shop.close());

const files = [...contractOperations.values()].filter(({ responses }) =>
  JSON.stringify(responses).includes('text/csv'),
);
const read = async (path: string) => {
  const url = `/api${path.replace('{by}', 'product')}${path.endsWith('/labels') ? `?ids=${orderId}` : ''}`;
  const { body, statusCode } = await shop.app.inject({ url, headers: { authorization: `Bearer ${owner.token}` } });
  expect(statusCode, url).toBe(200);
  return rowsOf(body);
};

test('every exported time is in the shop’s time zone, with its offset, and every amount has two decimals', async () => {
  expect(files.length).toBeGreaterThan(6);
  let times = 0;
  for (const { path } of files) {
    for (const row of await read(path))
      for (const [header, cell] of Object.entries(row)) {
        if (header === 'Before' || header === 'After') continue; // as a program stored it
        if (/\d\dT\d\d:/.test(cell)) expect(cell, header).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00$/);
        if (cell.includes('+09:00')) times += 1;
        if (/^-?\d+\.\d+$/.test(cell) && !/rate/i.test(header)) expect(cell, header).toMatch(/\.\d\d$/);
      }
  }
  expect(times).toBeGreaterThan(4);
});

test('discounts and refunds are negative in every file', async () => {
  const [order] = await read('/admin/orders/export');
  expect(order).toMatchObject({ Amount: '21.07', Refunded: '-5.00', Discount: '-1.59', Tax: '0.81' });
  const [line] = await read('/admin/orders/export?form=lines');
  expect(line).toMatchObject({ Amount: '21.07', Refunded: '-5.00', Discount: '-1.59', Tax: '0.81' });
  expect(line?.['Paid']).toMatch(/\+09:00$/);
  const report = await read('/admin/reports/{by}/export');
  expect(report.at(-1)).toMatchObject({ Refunds: '-5.00', 'Net total': '-5.00' });
  expect(report[0]).toMatchObject({ 'Gross sales': '15.90', Discounts: '-1.59' });
  const [collected] = await read('/admin/tax-rates/collected/export');
  expect(Number(collected?.['Refunded'])).toBeLessThan(0);
});

test('a time has the offset of its date', () => {
  const inNewYork = timeIn('America/New_York');
  expect(inNewYork(new Date('2026-11-28T20:43:54.964Z'))).toBe('2026-11-28T15:43:54-05:00');
  expect(inNewYork(new Date('2026-07-01T03:00:00Z'))).toBe('2026-06-30T23:00:00-04:00');
  expect(timeIn('UTC')(new Date('2026-07-01T00:00:00Z'))).toBe('2026-07-01T00:00:00+00:00');
  expect(timeIn('Asia/Kathmandu')(new Date('2026-07-01T00:00:00Z'))).toBe('2026-07-01T05:45:00+05:45');
});
