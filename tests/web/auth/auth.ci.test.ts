import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { authMessages } from '../../../src/shared/authMessages';
import { accessToken } from '../../../src/web/server/accessToken';
import { session } from '../../../src/web/server/session';
import { outbox } from '../../../src/web/outbox/outbox';
import { logIn, newcomer, newCustomer, openAccount } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { control, fieldCalled, fill, logInAs, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const form = () => document.querySelector('main form') ?? document;

async function sendRegistration(person: ReturnType<typeof newcomer>): Promise<void> {
  await fill('Full Name', person.fullName);
  await fill('Email', person.email);
  await fill('Password', person.password);
  await fill('Confirm password', person.password);
  await fill('Street address', person.street);
  await fill('City', person.city);
  await fill('State', person.state);
  await fill('ZIP code', person.postalCode);
  await press('Register', form());
}

test('a ZIP+4 pasted into the form keeps its first five digits, and DC can register', async () => {
  tab = openTab(shop, '/register');
  await sendRegistration({ ...newcomer(), state: 'DC', postalCode: '20500-0003' });
  await see('Registration successful!');
});

test('registering logs in and returns to the product, which is in the cart', async () => {
  const pepper = await shop.stock({ name: 'Black pepper' });
  tab = openTab(shop, '/');
  await wish(pepper);
  await press('Register', document.querySelector('main') ?? document);
  await until(() => tab.path().startsWith('/register'));
  await sendRegistration(newcomer());
  await control('Cart, 1 item');
  expect(tab.path()).toBe(`/customer/view/product/${pepper.id}`);
  await until(() => tab.unread().length === 0);
});

const wish = async (product: { id: string }) => {
  await tab.go(`/customer/view/product/${product.id}`);
  await press('Add to cart', document.querySelector('main') ?? document);
  await until(() => tab.path().startsWith('/login'));
};

test('everything a visitor wanted to add is in the cart after the login', async () => {
  const [pepper, salt] = [await shop.stock({ name: 'Black pepper' }), await shop.stock({ name: 'Salt' })];
  const awa = await openAccount(shop);
  tab = openTab(shop, '/');
  await wish(pepper);
  await wish(salt);
  await logInAs(awa);
  await control('Cart, 2 items');
  await tab.go('/cart');
  await see('Black pepper');
  await see('Salt');
});

test('a visitor’s wish is private: neither for a user who logs in in another tab, nor for the next one', async () => {
  const pepper = await shop.stock({ name: 'Black pepper' });
  const [awa, ben] = [await newCustomer(shop), await openAccount(shop)];
  tab = openTab(shop, '/');
  await wish(pepper);
  localStorage.setItem('root', JSON.stringify({ id: awa.user.id, fullName: 'Awa Jallow', role: 'ROLE_CUSTOMER' }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'root' }));
  expect(session.get()?.id).toBe(awa.user.id);
  session.clear();
  await tab.go('/login');
  await logInAs(ben);
  await see('Cart is Empty');
  const salt = await shop.stock({ name: 'Salt' });
  await outbox.send('addCartItem', { userId: ben.id, item: { productId: salt.id, quantity: 1 } }); // behind all before it
  const { jwt } = await logIn(shop, ben);
  const { data } = await shop.call('getCart', {
    headers: { authorization: `Bearer ${jwt}` },
    path: { userId: ben.id },
  });
  expect(data.cartResponse.cartItems).toMatchObject([{ productName: 'Salt' }]);
});

test('a visitor’s wish is in the cart once a required step before it is done', async () => {
  const pepper = await shop.stock({ name: 'Black pepper' });
  const awa = await openAccount(shop);
  await shop.pool.query(`update users set must_change_password = true, role = 'ROLE_ADMIN' where id = $1`, [awa.id]);
  tab = openTab(shop, '/');
  await wish(pepper);
  await logInAs(awa);
  await see('Choose a new password to continue.');
  await tab.go('/customer/orders');
  await until(() => tab.path().startsWith('/customer/edit/password'));
  const longPassword = 'a brand new pepper mill 1';
  await fill('Current password', awa.password);
  await fill('New password', longPassword);
  await fill('Confirm password', longPassword);
  await press('Change password', form());
  await until(() => !tab.path().startsWith('/customer/edit'));
  await tab.go('/cart');
  await see('Subtotal$4.50');
  await until(() => outbox.waiting(awa.id).length === 0);
  await control('Cart, 1 item');
  const { jwt } = await logIn(shop, { email: awa.email, password: longPassword });
  const headers = { authorization: `Bearer ${jwt}` };
  const { data } = await shop.call('getCart', { headers, path: { userId: awa.id } });
  expect(data.cartResponse.cartItems).toMatchObject([{ productName: 'Black pepper', quantity: 1 }]);
});

test('a registration that could not log in leaves the email for the login, and it is gone after a logout', async () => {
  const awa = newcomer();
  const refuseLogin = Array.from({ length: 5 }, () => ({ email: awa.email, password: 'wrong pepper 1' }));
  for (const body of refuseLogin) await shop.call('login', { body });
  tab = openTab(shop, '/register?redirect=%2Fcart');
  await sendRegistration(awa);
  await see(authMessages.proofMailed);
  expect(tab.path()).toBe('/login?redirect=%2Fcart');
  expect((await fieldCalled('Email')).value).toBe(awa.email);
  await shop.pool.query('delete from attempts');
  await logInAs(awa);
  await see('Cart is Empty');
  await press('Account settings');
  await press('Logout');
  await until(() => tab.path() === '/');
  tab.back(); // to the cart, which leads to the login
  await until(() => tab.path().startsWith('/login'));
  expect((await fieldCalled('Email')).value).toBe('');
});

test('a visitor who opens the cart reads why there is a login, and gets there', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/');
  await press('Cart');
  await see('Login to see items in your cart');
  await logInAs(awa);
  await see('Cart is Empty');
  expect(tab.path()).toBe('/cart');
});

test('a login leads to the cart, and never to another site', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/login?redirect=%2F%5Cevil.example');
  await logInAs(awa);
  await until(() => tab.path() === '/cart');
});

test('a wrong password is said at its field, which takes the focus, and the browser stores nothing', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/login');
  await logInAs({ ...awa, password: 'not this one 1' });
  await see('Incorrect username/password');
  const password = await fieldCalled('Password');
  expect(password.getAttribute('aria-invalid')).toBe('true');
  await until(() => document.activeElement === password);
  expect(document.body.textContent.match(/Incorrect username/g)).toHaveLength(1);
  expect(localStorage.getItem('root')).toBeNull();
});

test('a taken address is reported in the form, whose field takes the focus', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/register');
  for (const [label, value] of Object.entries({
    'Full Name': awa.fullName,
    Email: awa.email,
    Password: awa.password,
    'Confirm password': awa.password,
    'Street address': awa.street,
    City: awa.city,
    State: awa.state,
    'ZIP code': awa.postalCode,
  }))
    await fill(label, value);
  await press('Register', form());
  await until(() => document.querySelector('[role=alert]') !== null);
  expect(tab.path()).toContain('/register');
  const email = await fieldCalled('Email');
  await until(() => document.activeElement === email);
});

test('the browser stores id, name and role, and no token', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/login');
  await logInAs(awa);
  await see('Cart is Empty');
  expect(Object.keys(localStorage).toSorted()).toEqual([`answers:${awa.id}`, 'root', 'shop']);
  expect(localStorage.getItem(`answers:${awa.id}`)).not.toMatch(/token|jwt|eyJ/i);
  expect(JSON.parse(localStorage.getItem('root') ?? '')).toEqual({
    id: awa.id,
    fullName: awa.fullName,
    role: 'ROLE_CUSTOMER',
  });
  expect(JSON.stringify(sessionStorage)).not.toContain('ey');
});

test('calls rejected for their token wait for one refresh and are sent again', async () => {
  const awa = await newCustomer(shop);
  tab = openTab(shop, '/checkout', { as: awa });
  accessToken.set('worn out');
  await see('Cart is Empty');
  expect(tab.calls.filter(({ path }) => path === '/auth/refresh-token')).toMatchObject([{ status: 200 }]);
  expect(tab.calls.filter(({ status }) => status === 401).length).toBeGreaterThan(0);
  expect(accessToken.get()).not.toBe('worn out');
  await until(() => tab.unread().length === 0); // a browser would count the rejected ones as calls in flight
});

test('when the session is over the user goes to the login, and returns after it', async () => {
  const awa = await openAccount(shop);
  const { cookies, ...rest } = await newCustomer(shop);
  tab = openTab(shop, '/customer/orders', { as: { ...rest, cookies: {} } });
  expect(cookies).not.toEqual({});
  await until(() => tab.path().startsWith('/login'));
  expect(localStorage.getItem('root')).toBeNull();
  await until(() => tab.unread().length === 0);
  await logInAs(awa);
  await see('No orders found.');
  expect(tab.path()).toBe('/customer/orders');
});

test.each([
  '',
  '?redirect=https%3A%2F%2Fevil.example',
  '?redirect=%2F%5Cevil.example',
  '?redirect=javascript%3Aalert(1)',
])('a signed-in user does not see /login%s again, and is not led to another site', async (search) => {
  tab = openTab(shop, `/login${search}`, { as: await shop.signIn() });
  await until(() => tab.path() === '/cart');
});

test('a customer on an admin page sees the 403 screen, a visitor the login', async () => {
  tab = openTab(shop, '/dashboard', { as: await shop.signIn() });
  await see('403 forbidden');
  tab.close();
  tab = openTab(shop, '/dashboard');
  await until(() => tab.path().startsWith('/login'));
});

test('Back after a login skips it', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/contact');
  await see('Contact');
  await tab.go('/checkout');
  await until(() => tab.path().startsWith('/login'));
  await logInAs(awa);
  await until(() => tab.path() === '/checkout');
  tab.back();
  await until(() => tab.path() === '/contact');
});
