/** Company, second line, and phone of an address. Rule: docs/rules/accounts.md, Addresses */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy, delivery, placedOrder, placeOrder, putInCart } from '../../support/buying';
import { mailsOf } from '../../support/mails';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterAll(() => shop.close());

const courier = { company: 'Example Kitchen', street2: 'Suite 4', phone: '(404) 555-0142' };
const toKitchen = { ...delivery, deliveryAddress: { ...delivery.deliveryAddress, ...courier } };

async function shopper(): Promise<Person> {
  const person = await shop.signIn();
  await putInCart(shop, person, (await shop.stock()).id, 1);
  return person;
}

test('an order for a company has all lines of its address in the order, the receipt, and the export', async () => {
  const as = await shopper();
  const order = await placedOrder(shop, as, toKitchen);
  await buy(shop, order);
  const read = await shop.call('getOrder', { as: await shop.again(as), path: { orderId: order.orderId } });
  expect(read.data.orderResponse.deliveryAddress).toEqual(toKitchen.deliveryAddress);

  const [mail] = await mailsOf(shop, order.orderId);
  const { content } = (await shop.call('getMail', { as: owner, path: { mailId: mail?.id ?? '' } })).data;
  const label = ['Example Customer', 'Example Kitchen', '12 Market Street', 'Suite 4', 'Atlanta, GA 30303'];
  expect(content.text).toContain([...label, '(404) 555-0142'].join('\n'));

  const { payload } = await shop.app.inject({
    url: '/api/admin/orders/export',
    query: { q: order.orderNumber },
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const [header, line] = payload.trim().split('\n');
  expect(header).toMatch(/,"Company","Street line 2","Phone"$/);
  expect(line).toMatch(/,"Example Kitchen","Suite 4","\(404\) 555-0142"$/);
});

test('an address without them looks as before', async () => {
  const as = await shopper();
  const order = await placedOrder(shop, as);
  const read = await shop.call('getOrder', { as, path: { orderId: order.orderId } });
  expect(read.data.orderResponse.deliveryAddress).toEqual(delivery.deliveryAddress);
});

test('another company is another order', async () => {
  const as = await shopper();
  const first = await placeOrder(shop, as, toKitchen);
  const again = await placeOrder(shop, as, toKitchen);
  expect(again.data.orderId).toBe(first.data.orderId);
  const bakery = { ...toKitchen, deliveryAddress: { ...toKitchen.deliveryAddress, company: 'Example Bakery' } };
  expect((await placeOrder(shop, as, bakery)).data.orderId).not.toBe(first.data.orderId);
});

test('a phone number without digits is refused at its field', async () => {
  const deliveryAddress = { ...delivery.deliveryAddress, phone: 'ring twice' };
  const refused = await placeOrder(shop, await shopper(), { ...delivery, deliveryAddress });
  expect(refused).toMatchObject({
    status: 400,
    errors: [{ field: 'deliveryAddress.phone', message: 'Enter a phone number' }],
  });
});

test('the checkout starts with the saved address that the latest order went to, to the company', async () => {
  const as = await shopper();
  const path = { userId: as.userId };
  const add = (more: object) => shop.call('addAddress', { as, path, body: { ...delivery.deliveryAddress, ...more } });
  await add({});
  await add(courier);
  await placedOrder(shop, as, toKitchen);
  const { addresses } = (await shop.call('getUser', { as, path })).data.user;
  expect(addresses.filter(({ isLastUsed }) => isLastUsed)).toMatchObject([courier]);
  const { id } = addresses.find(({ company }) => company === courier.company) ?? { id: '' };
  const emptied = { ...delivery.deliveryAddress, company: '' };
  const changed = await shop.call('updateAddress', { as, path: { ...path, addressId: id }, body: emptied });
  const after = changed.data.user.addresses.find((each) => each.id === id);
  expect(Object.keys(after ?? {}).filter((part) => part in courier)).toEqual([]);
});
