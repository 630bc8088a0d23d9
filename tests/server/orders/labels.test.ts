import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { labelList, labelOunces } from '../../../src/shared/packing';
import { buy, placedOrder, putInCart } from '../../support/buying';
import { openOwnShop, type NewProduct, type Person, type TestShop } from '../../support/shop';

/** Rule: docs/rules/back-office.md, Packing */
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const address = {
  company: 'Jallow Catering',
  street: '12 Market Street',
  street2: 'Suite 4',
  city: 'Atlanta',
  state: 'GA',
  postalCode: '30303',
  phone: '+1 (555) 010-0142',
};

/** A paid order of these products, with their units. */
async function order(goods: [NewProduct, number][], change: object = {}) {
  const as = await shop.signIn();
  for (const [facts, quantity] of goods) await putInCart(shop, as, (await shop.stock(facts)).id, quantity);
  const placed = await placedOrder(shop, as, { customer: 'Awa Jallow', deliveryAddress: { ...address, ...change } });
  await buy(shop, placed);
  return placed;
}

const send = (ids: string[], as = admin) =>
  shop.app.inject({
    url: `/api/admin/orders/labels?ids=${ids.join(',')}`,
    headers: { authorization: `Bearer ${as.token}` },
  });
const rowsOf = async (ids: string[]) =>
  parse<Record<string, string>>((await send(ids)).body, { bom: true, columns: true });
const items = async (orderId: string) =>
  (await shop.call('getOrder', { as: admin, path: { orderId } })).data.orderResponse.orderItems;

/**
 * What ShipStation's help page on importing orders by CSV names as headings, and what both label services need of a
 * shipment. ShipStation says there that headings may have any name and are assigned during the import, so one file does.
 * Source: https://help.shipstation.com/hc/en-us/articles/360036323571 (Import Orders via CSV), read 2026-11-30.
 * Pirate Ship's own help page was not at hand that day; its import assigns columns in the same way, by others' accounts.
 */
const headings = [
  'Order Number',
  'Recipient Name',
  'Company',
  'Address Line 1',
  'Address Line 2',
  'City',
  'State',
  'Zip Code',
  'Country Code',
  'Phone',
  'Email',
  'Weight (oz)',
];

test('a file of labels has the columns that label services import, and each part of the address in its own', async () => {
  expect(Object.values(labelList.file.headers)).toEqual(headings);
  const { orderId, orderNumber } = await order([
    [{ shippingGrams: 120 }, 2],
    [{ shippingGrams: 500 }, 1],
  ]);
  const answer = await send([orderId]);
  expect(answer.headers['content-disposition']).toMatch(/filename="labels-\d{4}-\d\d-\d\d\.csv"/);
  const [row] = await rowsOf([orderId]);
  expect(Object.keys(row ?? {})).toEqual(headings);
  expect(row).toMatchObject({
    'Order Number': orderNumber,
    'Recipient Name': 'Awa Jallow',
    Company: 'Jallow Catering',
    'Address Line 1': '12 Market Street',
    'Address Line 2': 'Suite 4',
    City: 'Atlanta',
    State: 'GA',
    'Zip Code': '30303',
    'Country Code': 'US',
    Phone: '1 (555) 010-0142',
    'Weight (oz)': '26.2',
  });
  expect(row?.['Email']).toContain('@example.com');
});

test.each([
  [1, 0.1],
  [28, 1],
  [28.349523125, 1],
  [29, 1.1],
  [453.59237, 16],
])('%d grams are %d ounces on a label', (grams, ounces) => {
  expect(labelOunces(grams)).toBe(ounces);
});

test('the weight is that of the units left to ship, and orders with none left are left out', async () => {
  const { orderId } = await order([
    [{ shippingGrams: 100 }, 3],
    [{ shippingGrams: 1000 }, 1],
  ]);
  const lines = await items(orderId);
  const ship = (quantities: number[]) =>
    shop.call('createParcel', {
      as: admin,
      path: { orderId },
      body: {
        carrier: 'usps',
        lines: quantities.flatMap((quantity, at) =>
          quantity > 0 ? [{ orderItemId: lines[at]?.orderItemId ?? '', quantity }] : [],
        ),
      },
    });
  const other = await order([[{ shippingGrams: 50 }, 1]]);
  await ship(lines.map(() => 1));
  expect(await rowsOf([other.orderId, orderId])).toMatchObject([
    { 'Weight (oz)': String(labelOunces(200)) },
    { 'Order Number': other.orderNumber, 'Weight (oz)': String(labelOunces(50)) },
  ]);
  await ship(lines.map(({ quantity }) => (quantity === 3 ? 2 : 0)));
  expect(await rowsOf([other.orderId, orderId])).toMatchObject([{ 'Order Number': other.orderNumber }]);
});

test('the weight is empty while that of one product is unknown', async () => {
  const { orderId } = await order([
    [{ shippingGrams: 100 }, 1],
    [{}, 1],
  ]);
  expect(await rowsOf([orderId])).toMatchObject([{ 'Weight (oz)': '' }]);
});

test('no cell calculates, the export is in the audit log, and customers cannot make it', async () => {
  const { orderId } = await order([[{ shippingGrams: 100 }, 1]], { company: '=HYPERLINK("https://example.com")' });
  expect((await rowsOf([orderId]))[0]?.['Company']).toMatch(/^'=/);
  const { rows } = await shop.pool.query(`select action from audit_log where actor_id = $1 order by id desc limit 1`, [
    admin.userId,
  ]);
  expect(rows).toEqual([{ action: 'labels.exported' }]);
  expect((await send([orderId], await shop.signIn())).statusCode).toBe(403);
});
