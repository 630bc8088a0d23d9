import { buy, openOrder } from '../../support/buying';
import { fieldCalled, fill, press, see, type Tab, until } from '../openTab';
import { address, asOwner, onStaffPage, open, refusing, registration, stage, type Provoke, type Table } from './stage';

/** The sentences of the back office. */
const nobody = 'a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043';

const row = (sentence: string, at: string, act: (tab: Tab) => Promise<unknown>): [string, Provoke] => [
  sentence,
  onStaffPage(at, act, sentence),
];
/** What a page reads is refused. */
const unread = (sentence: string, at: string, refused: RegExp) =>
  row(
    sentence,
    at,
    refusing(refused, async () => undefined),
  );

const save = () => press('Save');

async function writeCategory() {
  await fill('Name', 'dried-leaves');
  await fill('Description', 'Leaves, sold whole or ground.');
  await save();
}

async function writeProduct() {
  const { name } = await stage.shop.category();
  await stage.tab().go('/new/product');
  await until(() => [...document.querySelectorAll('option')].some(({ value }) => value === name));
  const values = { Name: 'Cubeb', Price: '4.50', Quantity: '7', Category: name, Description: 'Tailed pepper.' };
  for (const [label, value] of Object.entries(values)) await fill(label, value);
  await save();
}

async function changeProduct() {
  await fill('Name', 'White pepper');
  await save();
}

async function writeUser() {
  const { fullName, password } = registration;
  const values = { 'Full Name': fullName, Email: `${crypto.randomUUID()}@example.com`, Role: 'ROLE_USER' };
  const passwords = { Password: password, 'Confirm Password': password };
  const { street, city, state, postalCode } = address;
  const place = { Street: street, City: city, State: state, 'Postal Code': postalCode };
  for (const [label, value] of Object.entries({ ...values, ...passwords, ...place })) await fill(label, value);
  await save();
}

/** From the row of a customer, or of somebody who is an admin already. */
const giveRole = (sentence: string, name: 'Admin' | 'User', through = (act: () => Promise<void>) => act) => {
  const provoke = async () => {
    const role = name === 'User' ? 'ROLE_ADMIN' : 'ROLE_CUSTOMER';
    const { email } = await stage.shop.signIn({ role, fullName: 'Awa Ceesay' });
    await onStaffPage(
      `/user/management?q=${email}`,
      async () => {
        await press('Menu of Awa Ceesay');
        await through(() => press(name))();
      },
      sentence,
    )();
  };
  return [sentence, provoke] as const;
};

const moveOrder = (sentence: string, refused: RegExp | undefined) => {
  const provoke = async () => {
    const order = await openOrder(stage.shop);
    await buy(stage.shop, order);
    const move = async () => {
      await press(`Menu of #${order.orderNumber}`);
      await press('Delivered');
    };
    const act = refused ? refusing(refused, move) : move;
    await onStaffPage(`/ordered/products?q=${order.orderNumber}`, act, sentence)();
  };
  return [sentence, provoke] as const;
};

export const backOffice: Table = {
  ...Object.fromEntries([
    row('Failed to create category', '/new/product/category', refusing(/categories\/create$/, writeCategory)),
    unread('Failed to fetch category', `/view/product/category/${nobody}`, /\/categories\/[^/]+$/),
    row('Failed to create product', '/products', refusing(/products\/create\//, writeProduct)),
    unread('Failed to fetch products', '/products', /\/admin\/products$/),
    unread('Error fetching users', '/user/management', /\/admin\/users$/),
    row('Role is required', '/new/user', save),
    row('User creation failed', '/new/user', refusing(/\/admin\/users$/, writeUser)),
    row('User created successfully!', '/new/user', writeUser),
    unread('Failed to fetch orders', '/ordered/products', /\/admin\/orders$/),
    unread('Failed to load order details.', `/admin/orders/${nobody}`, /\/admin\/orders\//),
    row('No order details available.', `/admin/orders/${nobody}`, async () => undefined),
    giveRole('User role updated to Admin', 'Admin'),
    giveRole('User role updated to User', 'User'),
    giveRole('Failed to update user role', 'Admin', (act) => () => refusing(/\/role$/, act)(stage.tab())),
    moveOrder('Order status updated successfully', undefined),
    moveOrder('Failed to update order status', /\/update\/DELIVERED$/),
  ]),
  'Failed to update category': async () => {
    const { id } = await stage.shop.category();
    open(`/update/product/category/${id}`, await asOwner());
    await fieldCalled('Name'); // it is read at the same address as it is changed
    await refusing(/\/categories\//, writeCategory)(stage.tab());
    await see('Failed to update category');
  },
  'Failed to update product': async () => {
    const { id } = await stage.shop.stock();
    const act = refusing(/products\/update\//, changeProduct);
    await onStaffPage(`/update/product/${id}`, act, 'Failed to update product')();
  },
  'Loading user profile...': async () => {
    const { userId } = await stage.shop.signIn();
    const act = async ({ network }: Tab) => {
      network.delays = ({ url }) => (url.endsWith(`/users/${userId}`) ? new Promise<void>(() => undefined) : undefined);
    };
    await onStaffPage(`/admin/view/user/${userId}`, act, 'Loading user profile...')();
  },
};
