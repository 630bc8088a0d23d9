import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { paidOrder } from '../../support/buying';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, dialog, fill, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openShop();
  allowCallsElsewhere(); // a customer orders before the tab is open
});
beforeEach(async () => (admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Musa Camara' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

const open = ({ userId }: Pick<Person, 'userId'>, as = admin) =>
  (tab = openTab(shop, `/admin/view/user/${userId}`, { as }));
const tagsOf = async (id: string) =>
  (await shop.call('getCustomerSummary', { as: admin, path: { id } })).data.summary.tags;
const setTags = (id: string, tags: string[]) =>
  shop.call('setCustomerTags', { as: admin, path: { id }, body: { tags } });

test('a customer’s page shows what they spent, their orders, and their messages', async () => {
  const { as, orderId } = await paidOrder(shop, { priceCents: 500, quantity: 5 }, 2, { fullName: 'Fatou Sanneh' });
  const body = { email: as.email, reason: 'Do you sell djar by the kilo?' };
  await shop.call('createContactMessage', { body });
  await shop.call('refundOrder', {
    as: admin,
    path: { orderId },
    body: { amount: 2.5, reason: 'Lid', restock: false },
  });
  const { orderResponse } = (await shop.call('getOrder', { as, path: { orderId } })).data;
  open(as);
  const spent = (Math.round(orderResponse.totalAmount * 100) - 250) / 100;
  await see(new RegExp(`Spent\\$${spent.toFixed(2)}After refunds.*Orders1.*1 to ship`));
  await see(
    new RegExp(`#${orderResponse.orderNumber}.*PaidPartially refunded.*2\\$${orderResponse.totalAmount.toFixed(2)}`),
  );
  await see('1–1 of 1');
  await see(/Do you sell djar by the kilo\?Unread.*Sent without logging in/);
});

test('the list of orders, and a message written while logged in, lead to the customer', async () => {
  const { as, orderNumber } = await paidOrder(shop, {}, 1, { fullName: 'Binta Jobe' });
  const write = (reason: string, rest: { as?: Person } = {}) =>
    shop.call('createContactMessage', { body: { email: as.email, reason }, ...rest });
  await write('Where is my order?', { as });
  await write('Is it you?');
  const page = `/admin/view/user/${as.userId}`;
  tab = openTab(shop, `/ordered/products?q=${orderNumber}`, { as: admin });
  const { customer } = (await shop.call('listOrders', { as: admin, query: { q: orderNumber } })).data.orders
    .content[0]!;
  await press(customer);
  await until(() => tab.path() === page);
  await see('Where is my order?');
  await press('Is it you?');
  await see('No reply yet');
  expect((await dialog()).textContent).not.toContain('View customer');
  await tab.go(page);
  await press('Where is my order?');
  await press('View customer', await dialog());
  await until(() => tab.path() === page);
});

test('an account without orders says so', async () => {
  open(await shop.signIn());
  await see('No orders yet.');
  await see('No messages yet.');
  await see('No paid order yet');
});

test('a note is added with its author, and an empty one is not', async () => {
  open(await shop.signIn());
  await press('Add note');
  await see('Enter a note');
  await fill('New note', 'Runs a supper club');
  await press('Add note');
  await see(/Runs a supper clubMusa Camara, /);
  await see('Note added');
});

test('a tag is added once in any case, and its removal can be undone', async () => {
  const { userId } = await shop.signIn();
  await setTags(userId, ['wholesale']);
  open({ userId });
  await press('Add tag');
  await fill('New tag', ' Wholesale ');
  await press('Add');
  await see('This customer already has the tag "Wholesale"');
  await fill('New tag', 'no peanuts');
  await press('Add');
  await see('no peanuts');
  await press('Remove wholesale');
  await see('Tag removed: wholesale');
  expect(await tagsOf(userId)).toEqual(['no peanuts']);
  await press('Undo');
  await see(/no peanutswholesale/);
  expect(await tagsOf(userId)).toEqual(['no peanuts', 'wholesale']);
});

test('a colleague’s new tag stays when the page removes another', async () => {
  const { userId } = await shop.signIn();
  await setTags(userId, ['wholesale']);
  open({ userId });
  await see('wholesale');
  await setTags(userId, ['wholesale', 'late payer']);
  await press('Remove wholesale');
  await see('Tag removed: wholesale');
  expect(await tagsOf(userId)).toEqual(['late payer']);
});

test('its reads start together: none waits for the profile', async () => {
  const { userId } = await shop.signIn();
  await setTags(userId, ['wholesale']);
  open({ userId });
  tab.network.hangs = new RegExp(`/admin/users/${userId}$`);
  await see('No orders yet.');
  await see('No messages yet.');
  await see('wholesale');
  await see('Loading user profile...');
});
