/**
 * Every storefront screen with its states: who sees it, how it is provoked, and which labels of the specification §2 (and
 * of the design's own texts) stand where. Its rows are walked by screens.spec.ts.
 */
import type { Locator, Page, Route } from 'playwright/test';

type Role = Parameters<Page['getByRole']>[0];
export interface Label {
  role: Role | 'text' | 'field';
  name: string | RegExp;
  within: 'banner' | 'main' | 'contentinfo' | 'page';
}
export interface Screen {
  /** What the visitor or customer sees. */
  name: string;
  as: 'visitor' | 'customer';
  path: string;
  /** Before the page is opened. */
  provoke?: (page: Page) => Promise<unknown>;
  /** Once it is there. */
  act?: (page: Page) => Promise<unknown>;
  labels: Label[];
  /** What the browser writes to its console because of `provoke`. */
  expected?: RegExp;
  /** It shows only after all tries have failed: the clock is turned forward over the pauses between them. */
  isTriedAgain?: true;
}

const label = (role: Label['role'], within: Label['within']) => (name: Label['name']) => ({ role, name, within });
const heading = label('heading', 'main');
const link = label('link', 'main');
const button = label('button', 'main');
const radio = label('radio', 'main');
const text = label('text', 'main');
const field = label('field', 'main');
const onPage = (role: Label['role'], ...names: Label['name'][]) => names.map(label(role, 'page'));
const inFooter = ['Home', 'About', 'Contact', 'Login'].map(label('link', 'contentinfo'));

export const locate = (page: Page, { role, name, within }: Label): Locator => {
  const place = within === 'page' ? page : page.getByRole(within);
  if (role === 'text') return place.getByText(name);
  if (role === 'field') return place.getByLabel(name, { exact: true });
  return place.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) });
};

const cartPath = /\/api\/public\/cart\//;
const ordersPath = /\/customerorders\//;
const success = '/customer/order/success?session_id=cs_test_1&user_id=u&cart_id=c';
const broken = { status: 500, contentType: 'application/problem+json', body: '{"code":"internal"}' };
const fail = (url: RegExp) => (page: Page) => page.route(url, (route) => route.fulfill(broken));
const hang = (url: RegExp) => (page: Page) => page.route(url, () => undefined);
const failing = /Failed to load resource.*500/;

/** The server's answer with a part of it changed: the state is real but for that part. */
const change = (url: RegExp, edit: (data: never) => void) => (page: Page) =>
  page.route(url, async (route: Route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: never };
    edit(json.data);
    await route.fulfill({ response, json });
  });
const withLines = (edit: (lines: object[]) => object[]) =>
  change(cartPath, ({ cartResponse }: { cartResponse: { cartItems: object[] } }) => {
    cartResponse.cartItems = edit(cartResponse.cartItems);
  });
const noAddresses = change(/\/api\/public\/users\//, ({ user }: { user: { addresses: object[] } }) => {
  user.addresses = [];
});
const paid = (page: Page) =>
  page.route(/check-status/, (route) => {
    const payment = { orderId: 'o', orderNumber: '100482', totalAmount: 46.6, orderStatus: 'PAID' };
    return route.fulfill({ json: { message: '', data: { payment } } });
  });

const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click();
const newAddress = async (page: Page) => {
  await page.getByText('Add a new address').click();
  await page.getByLabel('Street Address').fill('905 Marigold Lane');
  await page.getByLabel('City').fill('Charlotte');
  await page.getByLabel('State').selectOption('NC');
  await page.getByLabel('Postal Code').fill('28205');
};

export const screens: Screen[] = [
  {
    name: 'home',
    as: 'visitor',
    path: '/',
    labels: [
      heading('Savory, Seasoning & Spices'),
      text('Flavor your world with our savory sensations!'),
      heading('About Us'),
      heading('Products'),
      link('Savory & Seasoning Products'),
      ...onPage('link', 'Home', 'About', 'Contact', 'Login', 'Cart'),
      ...onPage('button', 'Products'),
      ...inFooter,
      label('heading', 'contentinfo')('Contact'),
      label('text', 'contentinfo')(`© ${new Date().getFullYear()} Savory, Seasoning & Spices`),
    ],
  },
  {
    name: 'home that could not be drawn',
    as: 'visitor',
    path: '/no/such/page',
    provoke: (page) => page.route(/HomePage-[^/]*\.js/, (route) => route.abort()),
    act: (page) => page.getByRole('main').getByRole('link', { name: 'Home' }).click(),
    labels: [heading('Something went wrong'), button('Try again')],
    expected: /./,
  },
  {
    name: 'savory',
    as: 'visitor',
    path: '/products/savory',
    labels: [
      heading('Savory & Seasoning'),
      text('1–10 of 18'),
      button(/^Add to cart: /),
      ...['Heat', 'Origin', 'Allergens'].map(button),
      link('Page 2'),
      button('Previous'),
      link('Next'),
    ],
  },
  { name: 'spices', as: 'visitor', path: '/products/spices?page=2', labels: [heading('Spices'), text('Out of Stock')] },
  {
    name: 'a list with its filters',
    as: 'customer',
    path: '/products/savory?heat=1,2&allergens=peanut',
    labels: [button('Heat 2'), button('Allergens 1'), button('Clear filters'), ...onPage('button', 'Settings')],
  },
  {
    name: 'an open filter',
    as: 'visitor',
    path: '/products/savory',
    act: press('Allergens'),
    labels: onPage('menuitemcheckbox', 'Without peanut', 'Without mustard'),
  },
  {
    name: 'a list that nothing passes',
    as: 'visitor',
    path: '/products/savory?heat=5&origin=Egypt',
    labels: [text('No products found.'), link('savory'), link('spices'), link('Show all products')],
  },
  {
    name: 'a list that is loading',
    as: 'visitor',
    path: '/login',
    provoke: hang(/\/products\/category\//),
    act: async (page) => {
      await press('Products')(page);
      await page.getByRole('menuitem', { name: 'spices' }).click();
    },
    labels: [heading('Spices')],
  },
  {
    name: 'a list that failed',
    as: 'visitor',
    path: '/login',
    provoke: fail(/\/products\/category\//),
    act: async (page) => {
      await press('Products')(page);
      await page.getByRole('menuitem', { name: 'spices' }).click();
    },
    labels: [text('Failed to fetch products by category'), button('Try again')],
    isTriedAgain: true,
    expected: failing,
  },
  {
    name: 'the open Products menu',
    as: 'visitor',
    path: '/login',
    act: press('Products'),
    labels: onPage('menuitem', 'savory', 'spices'),
  },
  {
    name: 'the open Settings menu',
    as: 'customer',
    path: '/products/spices',
    act: press('Settings'),
    labels: onPage('menuitem', 'Profile', 'Edit Profile', 'View Addresses', 'Orders', 'Logout'),
  },
  {
    name: 'a product',
    as: 'visitor',
    path: '/products/savory',
    act: (page) => page.getByRole('link', { name: 'Afra Grill Rub' }).click(),
    labels: [
      heading('Afra Grill Rub'),
      label('img', 'main')(/./),
      text('Available'),
      text('$7.95'),
      text('110 g'),
      text('Heat 3 of 5'),
      button('Add to cart'),
      link('Back'),
    ],
  },
  {
    name: 'a product out of stock',
    as: 'visitor',
    path: '/products/savory?page=2',
    act: (page) => page.getByRole('link', { name: 'Chicken Yassa Brine' }).click(),
    labels: [heading('Chicken Yassa Brine'), text('Out of Stock'), button('Add to cart')],
  },
  {
    name: 'a product that is no longer sold',
    as: 'visitor',
    path: '/products/savory',
    provoke: change(/\/public\/products\/[\da-f-]{36}$/, ({ product }: { product: { archived: boolean } }) => {
      product.archived = true;
    }),
    act: (page) => page.getByRole('link', { name: 'Afra Grill Rub' }).click(),
    labels: [heading('This product is no longer sold'), link('Back')],
  },
  {
    name: 'a product that failed',
    as: 'visitor',
    path: '/products/savory',
    provoke: fail(/\/public\/products\/[\da-f-]{36}$/),
    act: (page) => page.getByRole('link', { name: 'Afra Grill Rub' }).click(),
    labels: [text('Failed to fetch product'), button('Try again'), link('Back')],
    isTriedAgain: true,
    expected: failing,
  },
  {
    name: 'login',
    as: 'visitor',
    path: '/login',
    labels: [
      heading('Login'),
      ...['Email', 'Password', 'Remember me'].map(field),
      button('Show password'),
      button('Login'),
      link('Forgot Password'),
      link('Register'),
    ],
  },
  {
    name: 'login with mistakes',
    as: 'visitor',
    path: '/login',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Login' }).click(),
    labels: [text('Email is required'), text('Password is required')],
  },
  {
    name: 'register',
    as: 'visitor',
    path: '/register',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Register' }).click(),
    labels: [
      heading('Register'),
      ...['Full Name', 'Email', 'Password', 'Confirm Password', 'Street', 'City', 'State', 'Postal Code'].map(field),
      text('Please confirm your password'),
      text('Postal Code is required'),
      link('Login'),
    ],
  },
  {
    name: 'cart',
    as: 'customer',
    path: '/cart',
    labels: [
      heading('Cart'),
      ...['Name', 'Price', 'Quantity', 'Total'].map(label('columnheader', 'main')),
      text('Subtotal'),
      button('Increase'),
      button('Proceed to Checkout'),
      button('Clear Cart'),
      button(/^Remove /),
      ...onPage('link', /^Cart, \d+ items?$/),
    ],
  },
  {
    name: 'cart with lines to settle',
    as: 'customer',
    path: '/cart',
    provoke: withLines(([line = {}]) => [
      { ...line, id: 'a', notice: 'price_changed', currentPrice: 8.95 },
      { ...line, id: 'b', notice: 'out_of_stock', stock: 0 },
      { ...line, id: 'c', notice: 'not_enough_stock', stock: 2 },
      { ...line, id: 'd', notice: 'archived' },
    ]),
    labels: [
      text(/^The price changed from \$[\d.]+ to \$8\.95$/),
      button('Keep at $8.95'),
      text('Out of Stock'),
      text('Only 2 left'),
      button('Take 2'),
      text('This product is no longer sold'),
      button('Remove'),
      text('Please settle the marked items first'),
    ],
  },
  {
    name: 'an empty cart',
    as: 'customer',
    path: '/cart',
    provoke: withLines(() => []),
    labels: [heading('Cart is Empty'), link('savory'), link('spices')],
  },
  { name: 'a cart that is loading', as: 'customer', path: '/cart', provoke: hang(cartPath), labels: [heading('Cart')] },
  {
    name: 'a cart that failed',
    as: 'customer',
    path: '/cart',
    provoke: fail(cartPath),
    labels: [text('Cart data is not available'), button('Try again')],
    isTriedAgain: true,
    expected: failing,
  },
  {
    name: 'Clear Cart, asking',
    as: 'customer',
    path: '/cart',
    act: press('Clear Cart'),
    labels: [...onPage('alertdialog', 'Clear Cart'), ...onPage('button', 'Cancel')],
  },
  {
    name: 'checkout',
    as: 'customer',
    path: '/checkout',
    act: (page) => page.getByText('12 Market Street').click(),
    labels: [
      heading('Checkout'),
      heading('Shipping Address'),
      radio(/12 Market Street/),
      radio('Add a new address'),
      button('Place Order'),
      heading('Cart Summary'),
      text(/^Quantity: \d+$/),
      text('Subtotal'),
      button('Back to Cart'),
    ],
  },
  {
    name: 'checkout with no saved address',
    as: 'customer',
    path: '/checkout',
    provoke: noAddresses,
    labels: [text('No saved addresses found.'), button('Add New Address')],
  },
  {
    name: 'the dialog for a new address',
    as: 'customer',
    path: '/checkout',
    act: newAddress,
    labels: [
      ...onPage('dialog', 'Add a New Address'),
      ...onPage('field', 'Full Name', 'Street Address', 'City', 'State', 'Postal Code'),
      ...onPage('button', 'Cancel', 'Use This Address'),
    ],
  },
  {
    name: 'checkout with a new address',
    as: 'customer',
    path: '/checkout',
    act: async (page) => {
      await newAddress(page);
      await page.getByRole('button', { name: 'Use This Address' }).click();
    },
    labels: [heading('Selected New Address:'), text('905 Marigold Lane')],
  },
  {
    name: 'an order being placed',
    as: 'customer',
    path: '/checkout',
    provoke: hang(/\/payment\//),
    act: async (page) => {
      await page.getByText('12 Market Street').click();
      await page.getByRole('button', { name: 'Place Order' }).click();
    },
    labels: [button('Processing...')],
  },
  {
    name: 'an order that failed',
    as: 'customer',
    path: '/checkout',
    provoke: fail(/\/payment\//),
    act: async (page) => {
      await page.getByText('12 Market Street').click();
      await page.getByRole('button', { name: 'Place Order' }).click();
    },
    labels: [label('alert', 'main')(/^$/), text('Failed to create order')],
    expected: failing,
  },
  {
    name: 'order history',
    as: 'customer',
    path: '/customer/orders',
    provoke: (page) => page.route(ordersPath, (route) => route.fulfill({ json: history })),
    labels: [
      heading('Orders'),
      link('Back to Home'),
      heading('Order #100482'),
      text('On Delivery'),
      text('Ship to'),
      text('Total'),
      link('Page 2'),
    ],
  },
  {
    name: 'an empty order history',
    as: 'customer',
    path: '/customer/orders',
    labels: [text('No orders found.'), link('savory'), link('spices')],
  },
  {
    name: 'an order history that is loading',
    as: 'customer',
    path: '/customer/orders',
    provoke: hang(ordersPath),
    labels: [label('status', 'main')(/^$/), text('Loading your orders')],
  },
  {
    name: 'an order history that failed',
    as: 'customer',
    path: '/customer/orders',
    provoke: fail(ordersPath),
    labels: [text('Failed to load order history.'), button('Try again')],
    isTriedAgain: true,
    expected: failing,
  },
  {
    name: 'a payment being looked up',
    as: 'customer',
    path: success,
    provoke: hang(/check-status/),
    labels: [heading('Processing your payment...')],
  },
  {
    name: 'a payment that went through',
    as: 'customer',
    path: success,
    provoke: paid,
    labels: [
      heading('Order created successfully'),
      text('100482'),
      text('Total amount'),
      text('$46.60'),
      link('Orders'),
      link('Back to Home'),
    ],
  },
  {
    name: 'a payment that failed',
    as: 'customer',
    path: '/customer/order/success',
    labels: [heading('Payment Processing Error'), text('Missing required payment information'), link('Back to Cart')],
  },
  {
    name: 'an unknown path',
    as: 'visitor',
    path: '/no/such/page',
    labels: [heading('404 not found'), link('Home')],
    expected: /404/,
  },
  {
    name: 'a page for staff, seen by a customer',
    as: 'customer',
    path: '/dashboard',
    labels: [heading('403 forbidden'), link('Home')],
  },
];

const order = {
  id: '5f3c8a10-7d2e-4b6f-9c41-0a8e7d6b5c4d',
  orderId: '5f3c8a10-7d2e-4b6f-9c41-0a8e7d6b5c4d',
  orderNumber: '100482',
  createdAt: '2026-11-14T12:00:00Z',
  customer: 'Example Cook',
  totalAmount: 15.9,
  orderStatus: 'OUT_FOR_DELIVERY',
  deliveryAddress: { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' },
  orderItems: [{ orderItemId: 'i', productName: 'Afra Grill Rub', imageUrl: null, quantity: 2, totalPrice: 15.9 }],
  shipmentTrackingUrl: 'https://example.com/track/100482',
  paymentUrl: null,
};
const paging = { pageable: { pageNumber: 0, totalPages: 3 }, totalPages: 3, totalElements: 21 };
const history = { message: '', data: { orders: { content: [order], ...paging } } };
