import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { products, users } from '../../../src/server/db/schema/tables';
import { buy, checkBooks, delivery, placedOrder, shopperWith } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** Rule: docs/rules/back-office.md, Orders */
let shop: TestShop;
let admin: Person;
let rub: { id: string };
let fatou: Person;
/** Of Fatou. Another customer has one order too. */
let order: { orderId: string; orderNumber: string; paymentId: string };
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  rub = await shop.stock({ name: 'Afra Grill Rub' });
  const grains = await shop.stock({ name: 'Grains of Selim' });
  await placedOrder(shop, await shopperWith(shop, 1, grains), addressed('Binta Darboe', { street: '7 Elm Court' }));
  fatou = await shopperWith(shop, 2, rub);
  const place = { street: '118 Linden Street', street2: 'Apt 4', company: 'Banjul Bistro' };
  const placed = await placedOrder(shop, fatou, addressed('Fatou Sanneh', place));
  await buy(shop, placed);
  const { details } = (await shop.call('getOrderForStaff', { as: admin, path: { orderId: placed.orderId } })).data;
  order = { ...placed, paymentId: details.payment?.paymentId ?? '' };
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const addressed = (customer: string, address: object) => ({
  customer,
  deliveryAddress: { ...delivery.deliveryAddress, ...address },
});
const find = async (q: string, query: object = {}) => {
  const { data } = await shop.call('listOrders', { as: admin, query: { q, ...query } });
  const { content, totalElements } = data.orders;
  expect(totalElements).toBe(content.length);
  return content.map(({ customer }) => customer);
};
const ship = (trackingNumber: string) =>
  shop.call('createParcel', {
    as: admin,
    path: { orderId: order.orderId },
    body: { carrier: 'usps', trackingNumber, notify: false, lines: [{ orderItemId: lineId, quantity: 1 }] },
  });
let lineId: string;
beforeAll(async () => {
  const read = await shop.call('getOrder', { as: admin, path: { orderId: order.orderId } });
  lineId = read.data.orderResponse.orderItems[0]?.orderItemId ?? '';
});

describe('staff find an order by', () => {
  test.each<[what: string, q: () => string]>([
    ['its number', () => order.orderNumber],
    ['its number with #', () => `#${order.orderNumber}`],
    ['its number after # and a space', () => `# ${order.orderNumber}`],
    ["a part of the customer's name", () => 'tou SAN'],
    ['the email', () => fatou.email.toUpperCase()],
    ['a part of the email', () => fatou.email.slice(1, 12)],
    ['a product', () => 'grill r'],
    ['the street', () => '118 linden'],
    ['the second line of the street', () => 'apt 4'],
    ['the company', () => 'bistro'],
    ['the id of its payment', () => order.paymentId],
  ])('%s', async (_, q) => {
    for (const sort of ['createdAt', 'customer']) expect(await find(` ${q()} `, { sort })).toEqual(['Fatou Sanneh']);
    expect(await find(q(), { status: 'PAID' })).toEqual(['Fatou Sanneh']);
    expect(await find(q(), { status: 'CANCELLED' })).toEqual([]);
  });

  test('the SKU of a product, even one set after the sale, and of a deleted product', async () => {
    expect(await find('afr-60')).toEqual([]);
    await shop.db.update(products).set({ sku: 'AFR-60' }).where(eq(products.id, rub.id));
    expect(await find('afr-60')).toEqual(['Fatou Sanneh']);
    expect(await find('afr-6')).toEqual([]); // only the whole SKU
    await shop.db.update(products).set({ archivedAt: shop.clock.now() }).where(eq(products.id, rub.id));
    expect(await find('AFR-60', { sort: 'totalAmount' })).toEqual(['Fatou Sanneh']);
    await shop.db.update(products).set({ sku: null, archivedAt: null }).where(eq(products.id, rub.id));
  });

  test('the number of a parcel as it is now, with or without spaces, and not after it was deleted', async () => {
    const { parcels = [] } = (await ship('9400 1118 9956 4530')).data.orderResponse;
    for (const q of ['9400111899564530', '9400 1118 9956 4530', '9400-1118', '99564530', '9956 4530'])
      expect(await find(q), q).toEqual(['Fatou Sanneh']);
    const path = { orderId: order.orderId, parcelId: parcels[0]?.id ?? '' };
    await shop.call('updateParcel', { as: admin, path, body: { trackingNumber: '9405503699300124' } });
    expect(await find('99564530')).toEqual([]);
    expect(await find('99300124')).toEqual(['Fatou Sanneh']);
    await shop.call('deleteParcel', { as: admin, path });
    expect(await find('99300124')).toEqual([]);
  });

  test('the email that the account has now', async () => {
    const change = (email: string) =>
      shop.db.update(users).set({ email, emailKey: email }).where(eq(users.id, fatou.userId));
    await change('sanneh@example.org');
    expect(await find('sanneh@example.org')).toEqual(['Fatou Sanneh']);
    expect(await find(fatou.email)).toEqual([]);
    await change(fatou.email);
  });
});

test('an order number is not found in the digits of other ids, and # only in numbers', async () => {
  await ship('420303039400111899567788');
  expect(await find('0111')).toEqual([]); // shorter than eight characters
  expect(await find('01118995')).toEqual(['Fatou Sanneh']);
  expect(await find('#118')).toEqual([]); // a house number
  expect(await find('118')).toEqual(['Fatou Sanneh']);
});

test('both of an email that changes and a parcel that is shipped at that moment are found', async () => {
  const client = await shop.pool.connect();
  await client.query('begin');
  const email = 'moved@example.org';
  await client.query(`update users set email = $1, email_key = $1 where id = $2`, [email, fatou.userId]);
  const shipping = ship('9405511206213867123456');
  await vi.waitFor(async () => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBe(1);
  });
  await client.query('commit');
  client.release();
  expect((await shipping).status).toBe(201);
  for (const q of [email, '67123456']) expect(await find(q), q).toEqual(['Fatou Sanneh']);
});

test('signs that have a meaning in patterns are searched as they are', async () => {
  for (const q of ['%', '_', '\\', 'fat%sanneh', '________']) expect(await find(q), q).toEqual([]);
});

test('the export has the orders that the search finds', async () => {
  const { body } = await shop.app.inject({
    url: '/api/admin/orders/export',
    query: { q: '118 linden' },
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(body).toContain('Fatou Sanneh');
  expect(body).not.toContain('Binta Darboe');
});
