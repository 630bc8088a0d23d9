// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loginForm, registrationForm } from '../../src/shared/authForms';
import { newAddressForm } from '../../src/shared/checkoutForms';
import { whyNotPlaceable } from '../../src/shared/checkout';
import { cartQuery } from '../../src/web/cart/queries';
import { buy, openOrder } from '../support/buying';
import { openShop, type Person, type TestShop } from '../support/shop';
import { fill, openTab, press, see, type Tab } from './openTab';

/**
 * Every sentence of the specification's sections 5 and 8: what provokes it, or that its screen is still owed. Each stands
 * once in src/shared and nowhere else, so that browser and server cannot say it differently.
 */
type Provoke = () => Promise<unknown>;
type Table = Record<string, Provoke | 'owed'>;

let shop: TestShop;
let tab: Tab | undefined;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(() => {
  tab?.close();
  tab = undefined;
});
afterAll(() => shop.close());

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
const registration = {
  fullName: 'Example Cook',
  email: 'cook@example.com',
  password: 'pepper and salt',
  confirmPassword: 'pepper and salt',
  ...address,
};
type Form = { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } | undefined } };

/** The form itself says it; that both sides run the same form is tested with the pages and the API. */
const bySending =
  (form: Form, sent: object, sentence: string): Provoke =>
  async () =>
    expect(form.safeParse(sent).error?.issues.map(({ message }) => message)).toContain(sentence);
const byRegistering = (sentence: string, change: object): [string, Provoke] => [
  sentence,
  bySending(registrationForm, { ...registration, ...change }, sentence),
];
const byPlacing = (sentence: string, missing: object): [string, Provoke] => [
  sentence,
  async () => {
    const draft = { cartId: 'c', address, customer: 'Ana', userId: 'u', ...missing };
    expect(whyNotPlaceable(draft)).toBe(sentence);
  },
];

/** Opens a page as a customer with a line in the cart, and does something there. */
const onPage =
  (at: string, act: (open: Tab, as: Person) => Promise<unknown>, sentence: string): Provoke =>
  async () => {
    const as = await shop.signIn();
    const { id: productId } = await shop.stock({ quantity: 9 });
    await shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId, quantity: 2 } });
    tab = openTab(shop, at.replace('{product}', productId), { as });
    await act(tab, as);
    await see(sentence);
  };
const inCart = (sentence: string, act: (open: Tab) => Promise<unknown>): [string, Provoke] => [
  sentence,
  onPage(
    '/cart',
    async (open) => {
      await see('Black pepper');
      await act(open);
    },
    sentence,
  ),
];
const whilePlacing = (sentence: string, answers: () => Response): [string, Provoke] => [
  sentence,
  onPage(
    '/checkout',
    async (open) => {
      await chooseNewAddress();
      open.network.answers = (pathname) => (pathname.includes('/payment/') ? answers() : undefined);
      await press('Place Order');
    },
    sentence,
  ),
];
const failing = (breaks: RegExp, act: () => Promise<unknown>) => async (open: Tab) => {
  open.network.breaks = breaks;
  await act();
};
const clear = async () => {
  await press('Clear Cart');
  await see('Everything in your cart will be removed.');
  await press('Clear Cart', document.querySelector('[role=dialog], [role=alertdialog]') ?? document);
};
const asVisitor =
  (at: string, act: (open: Tab) => Promise<unknown>, sentence: string): Provoke =>
  async () => {
    tab = openTab(shop, at);
    await act(tab);
    await see(sentence);
  };

const validation: Table = {
  'Email is required': bySending(loginForm, { email: ' ', password: 'x' }, 'Email is required'),
  'Password is required': bySending(loginForm, { email: 'a@example.com', password: '' }, 'Password is required'),
  ...Object.fromEntries([
    byRegistering('Invalid email address', { email: 'cook@example' }),
    byRegistering('Password must be at least 8 characters', { password: 'abc' }),
    byRegistering('Password must contain at least one letter', { password: '12345678' }),
    byRegistering('Please confirm your password', { confirmPassword: '' }),
    byRegistering('Passwords do not match', { confirmPassword: 'salt and pepper' }),
    byRegistering('This field is required', { city: ' ' }),
    byRegistering('Postal Code is required', { postalCode: '' }),
    byRegistering('Postal code format is numbers only', { postalCode: '3030A' }),
    byRegistering('Postal code must be at least 5 characters', { postalCode: '3030' }),
    byRegistering('Postal code must be no more than 5 characters', { postalCode: '30303-1234' }),
    byPlacing('No cart available. Please try again.', { cartId: undefined }),
    byPlacing('Please select or add a delivery address.', { address: undefined }),
    byPlacing('Please provide a customer name.', { customer: ' ' }),
    byPlacing('User information is missing. Please log in again.', { userId: undefined }),
  ]),
  'Role is required': 'owed',
  'Please fill in all address fields': onPage(
    '/checkout',
    async () => {
      await press('Add New Address');
      for (const label of ['Full Name', 'Street Address', 'City', 'Postal Code']) await fill(label, ' ');
      await fill('State', 'GA');
      await press('Use This Address');
      expect(newAddressForm.safeParse({}).success).toBe(false);
    },
    'Please fill in all address fields',
  ),
  'Cart data is not available': onPage(
    '/',
    async (open) => {
      open.network.breaks = /\/public\/cart\//;
      await open.go('/cart');
    },
    'Cart data is not available',
  ),
  'Missing required payment information': onPage(
    '/customer/order/success?session_id=cs_test_1',
    async () => undefined,
    'Missing required payment information',
  ),
};

const catalogue: Table = {
  'Failed to fetch product': asVisitor(
    '/',
    async (open) => {
      open.network.breaks = /\/public\/products\/[^/]+$/;
      await open.go('/customer/view/product/00000000-0000-4000-8000-000000000000');
    },
    'Failed to fetch product',
  ),
  'Failed to fetch products by category': asVisitor(
    '/',
    async (open) => {
      open.network.breaks = /\/public\/products\/category\//;
      await open.go('/products/spices');
    },
    'Failed to fetch products by category',
  ),
  'Failed to fetch user': onPage(
    '/',
    async (open) => {
      open.network.breaks = /\/public\/users\//;
      await open.go('/checkout');
    },
    'Failed to fetch user',
  ),
  ...Object.fromEntries([
    inCart('Cart item updated successfully', () => press('Increase')),
    inCart(
      'Failed to update cart item',
      failing(/item\/update/, () => press('Increase')),
    ),
    inCart('Item removed from cart', () => press('Remove Black pepper')),
    inCart(
      'Failed to remove cart item',
      failing(/remove/, () => press('Remove Black pepper')),
    ),
    inCart('Cart cleared successfully', clear),
    inCart('Failed to clear cart', failing(/clear/, clear)),
  ]),
  'Item added to cart successfully': onPage(
    '/customer/view/product/{product}',
    () => press('Add to cart'),
    'Item added to cart successfully',
  ),
  'Failed to add item to cart': onPage(
    '/customer/view/product/{product}',
    failing(/cart\/add/, () => press('Add to cart')),
    'Failed to add item to cart',
  ),
  'Failed to process payment': async () => {
    const order = await openOrder(shop);
    await shop.control('fault', { next: 2, kind: '503' });
    tab = openTab(shop, returnFrom(order), { as: order.as });
    await see('Failed to process payment');
  },
  'Payment Processing Error': async () => {
    const order = await openOrder(shop);
    tab = openTab(shop, returnFrom(order), { as: order.as });
    await see('Payment Processing Error');
  },
  'Failed to load order history.': onPage(
    '/',
    async (open) => {
      open.network.breaks = /customerorders/;
      await open.go('/customer/orders');
    },
    'Failed to load order history.',
  ),
  'No orders found.': onPage('/customer/orders', async () => undefined, 'No orders found.'),
  'Failed to fetch order history': onPage(
    '/',
    async (open) => {
      open.network.breaks = /customerorders/;
      await open.go('/customer/orders');
    },
    'Failed to fetch order history',
  ),
  ...Object.fromEntries([
    whilePlacing('Failed to create order', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })),
    whilePlacing('Order creation failed. Please try again.', () => {
      throw new TypeError('Failed to fetch');
    }),
    whilePlacing('Order created but payment URL not found. Please contact support.', () =>
      Response.json({ message: 'Order', data: {} }, { status: 201 }),
    ),
    whilePlacing('Payment URL not found in server response', () =>
      Response.json({ message: 'Order', data: {} }, { status: 201 }),
    ),
  ]),
  'User data is not available': asVisitor(
    '/login',
    async (open) => {
      open.network.answers = (pathname) =>
        pathname.endsWith('/login') ? Response.json({ message: 'Login', data: {} }) : undefined;
      await logIn('nobody@example.com');
    },
    'User data is not available',
  ),
  'User ID is required to fetch the cart': async () => {
    const { queryFn } = cartQuery('') as { queryFn: (context: object) => Promise<unknown> };
    await expect(queryFn({})).rejects.toThrow('User ID is required to fetch the cart');
  },
  'Order created successfully': onPage(
    '/checkout',
    async () => {
      await chooseNewAddress();
      await press('Place Order');
    },
    'Order created successfully',
  ),
  'Incorrect username/password': asVisitor('/login', () => logIn('nobody@example.com'), 'Incorrect username/password'),
  'Login successful': async () => {
    await shop.call('register', { body: { ...registration, email: 'known@example.com' } });
    await asVisitor('/login', () => logIn('known@example.com'), 'Login successful')();
  },
  'Logout successful': onPage(
    '/',
    async () => {
      await press('Settings');
      await press('Logout');
    },
    'Logout successful',
  ),
  'Registration successful!': asVisitor('/register', () => register('new@example.com'), 'Registration successful!'),
  'Registration failed': asVisitor(
    '/register',
    (open) => failing(/register/, () => register('other@example.com'))(open),
    'Registration failed',
  ),
  'Something went wrong. Please try again.': onPage(
    '/',
    async (open) => {
      open.network.breaks = /logout/;
      await press('Settings');
      await press('Logout');
    },
    'Something went wrong. Please try again.',
  ),
  'Order status updated successfully': async () => {
    const order = await openOrder(shop);
    await buy(shop, order);
    const as = await shop.signIn({ role: 'ROLE_ADMIN' });
    const moved = await shop.call('updateOrderStatus', { as, path: { orderId: order.orderId, status: 'DELIVERED' } });
    expect(moved.message).toBe('Order status updated successfully');
  },
};

/** Of screens that are not built: the back office, the account screens. */
const owed = `Failed to create category; Failed to fetch category; Failed to update category; Failed to create product;
  Failed to update product; Failed to fetch products; Failed to update user role; Failed to add address;
  Failed to remove address; Error fetching users; Failed to update order status; Failed to fetch orders;
  Failed to update profile; User creation failed; Failed to load order details.; No order details available.;
  Error loading user profile; User created successfully!; User role updated to Admin; User role updated to User;
  Address added successfully; Address removed successfully; Profile updated successfully`
  .split(';')
  .map((sentence) => sentence.trim().replace(/\s+/g, ' '));

const table: Table = { ...validation, ...catalogue, ...Object.fromEntries(owed.map((sentence) => [sentence, 'owed'])) };
const built = Object.entries(table).flatMap(([sentence, provoke]) =>
  provoke === 'owed' ? [] : [{ sentence, provoke }],
);
const isOwed = Object.keys(table).filter((sentence) => table[sentence] === 'owed');

describe('the shop says', () => {
  test.each(built)('$sentence', async ({ provoke }) => {
    await provoke();
  });

  test(`not yet, since their screens are owed: ${isOwed.join('; ')}`, () => {
    expect(built.length + isOwed.length).toBe(73);
  });
});

describe('each sentence stands once', () => {
  const shared = sourcesOf('src/shared');
  const elsewhere = ['src/web', 'src/server', 'src/sandbox'].flatMap(sourcesOf);
  test.each(built)('$sentence', ({ sentence }) => {
    const literal = `'${sentence}'`;
    expect(shared.flatMap(({ text }) => text.split(literal).slice(1))).toHaveLength(1);
    expect(elsewhere.filter(({ text }) => text.includes(literal)).map(({ file }) => file)).toEqual([]);
  });
});

function sourcesOf(folder: string): { file: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.gen.'))
    .map((name) => ({
      file: path.join(folder, name),
      text: withoutComments(readFileSync(path.join(folder, name), 'utf8')),
    }));
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const returnFrom = ({ sessionId, userId, cartId }: { sessionId: string; userId: string; cartId: string }) =>
  `/customer/order/success?session_id=${sessionId}&user_id=${userId}&cart_id=${cartId}`;

async function chooseNewAddress(): Promise<void> {
  await press('Add New Address');
  await fill('Full Name', 'Example Cook');
  await fill('Street Address', '12 Market Street');
  await fill('City', 'Atlanta');
  await fill('State', 'GA');
  await fill('Postal Code', '30303');
  await press('Use This Address');
  await see('Selected New Address:');
}

async function logIn(email: string): Promise<void> {
  await fill('Email', email);
  await fill('Password', registration.password);
  await press('Login', document.querySelector('main') ?? document);
}

async function register(email: string): Promise<void> {
  await fill('Full Name', registration.fullName);
  await fill('Email', email);
  await fill('Password', registration.password);
  await fill('Confirm Password', registration.password);
  await fill('Street', address.street);
  await fill('City', address.city);
  await fill('State', 'GA');
  await fill('Postal Code', address.postalCode);
  await press('Register', document.querySelector('main') ?? document);
}
