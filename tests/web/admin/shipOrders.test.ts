import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { paidOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, miss, openTab, press, see, type Tab, until } from '../openTab';

/** Rule: docs/rules/back-office.md, Orders */
let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  allowCallsElsewhere(); // orders are created before the first tab is open
});
afterEach(() => tab.close());
afterAll(() => shop.close());

const listed = () => [...document.querySelectorAll('main tbody tr')].map((row) => row.querySelector('a')?.textContent);

test('the list of orders says what is to ship, counts it, and shows only that', async () => {
  const [whole, part, gone] = [
    await paidOrder(shop, {}, 2, { fullName: 'Ana' }),
    await paidOrder(shop, {}, 2, { fullName: 'Binta' }),
    await paidOrder(shop, {}, 2, { fullName: 'Chef' }),
  ];
  for (const [{ orderId }, quantity] of [
    [part, 1],
    [gone, 2],
  ] as const) {
    const path = { orderId };
    const [item] = (await shop.call('getOrder', { as: admin, path })).data.orderResponse.orderItems;
    const lines = [{ orderItemId: item?.orderItemId ?? '', quantity }];
    await shop.call('createParcel', { as: admin, path, body: { lines, carrier: 'ups' } });
  }
  tab = openTab(shop, '/ordered/products', { as: admin });
  await see(new RegExp(`#${gone.orderNumber}.*On Delivery`));
  await see(new RegExp(`#${part.orderNumber}.*Paid\\s*Partially shipped`));
  await see(new RegExp(`#${whole.orderNumber}.*Paid\\s*To ship`));
  await press('To ship 2');
  await until(() => tab.path() === '/ordered/products?toShip=true');
  await miss('On Delivery');
  await until(() => listed().length === 2);
  expect(listed()).toEqual([`#${part.orderNumber}`, `#${whole.orderNumber}`]);
  await press('To ship 2');
  await until(() => listed().length === 3);
});
