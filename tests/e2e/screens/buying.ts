import type { Page } from 'playwright/test';
import { orderSays } from '../../../src/shared/orders';
import { summed } from './summed';
import {
  button,
  change,
  fail,
  failing,
  hang,
  heading,
  label,
  link,
  onPage,
  press,
  radio,
  text,
  type Screen,
} from './screen';

/** From the cart to the payment. */
const cartPath = /\/api\/public\/cart\//;
const success = '/customer/order/success?session_id=cs_test_1&user_id=u&cart_id=c';

const withLines = (edit: (lines: object[]) => object[]) =>
  change(cartPath, ({ cartResponse }: { cartResponse: { cartItems: object[] } }) => {
    cartResponse.cartItems = edit(cartResponse.cartItems);
  });
export const noAddresses = change(/\/api\/public\/users\//, ({ user }: { user: { addresses: object[] } }) => {
  user.addresses = [];
});
const answerPayment = (orderStatus: string) => (page: Page) =>
  page.route(/check-status/, (route) => {
    const isGivenBack = orderStatus === 'REFUNDED';
    const payment = { orderId: 'o', orderNumber: '100482', totalAmount: 46.6, orderStatus, isGivenBack };
    return route.fulfill({ json: { message: '', data: { payment } } });
  });
const newAddress = async (page: Page) => {
  await page.getByText('Add a new address').click();
  await page.getByLabel('Street Address').fill('905 Marigold Lane');
  await page.getByLabel('City').fill('Charlotte');
  await page.getByLabel('State').selectOption('NC');
  await page.getByLabel('Postal Code').fill('28205');
};

export const buying: Screen[] = [
  {
    name: 'cart',
    as: 'customer',
    path: '/cart',
    labels: [
      heading('Cart'),
      ...['Image', 'Name', 'Price', 'Quantity', 'Total'].map(label('columnheader', 'main')),
      text('Subtotal'),
      label('group', 'main')('Quantity of Afra Grill Rub'),
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
    labels: [heading('Cart is Empty'), link('Savory & Seasoning'), link('Spices')],
  },
  {
    name: 'a cart that is loading',
    as: 'customer',
    path: '/cart',
    provoke: hang(cartPath),
    labels: [heading('Cart'), text('Loading your cart')],
  },
  {
    name: 'a checkout that is loading',
    as: 'customer',
    path: '/checkout',
    provoke: async (page) => {
      await hang(cartPath)(page);
      await hang(/\/public\/users\//)(page);
    },
    labels: [text('Loading your cart'), text('Loading your addresses')],
  },
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
  ...summed,
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
    provoke: answerPayment('PAID'),
    labels: [
      heading('Order created successfully'),
      text('Order #'),
      text('100482'),
      text('Total amount'),
      text('$46.60'),
      link('Orders'),
      link('Back to Home'),
    ],
  },
  {
    name: 'a payment that was given back',
    as: 'customer',
    path: success,
    provoke: answerPayment('REFUNDED'),
    labels: [heading('Payment Processing Error'), text(orderSays.givenBack), link('Back to Cart')],
  },
  {
    name: 'a payment while the shop cannot be reached',
    as: 'customer',
    path: success,
    provoke: (page) => page.route(/check-status/, (route) => route.abort('internetdisconnected')),
    labels: [heading('Processing your payment...'), text('We will check again when you are online.')],
    expected: /ERR_INTERNET_DISCONNECTED/,
  },
  {
    name: 'a payment that failed',
    as: 'customer',
    path: '/customer/order/success',
    labels: [heading('Payment Processing Error'), text('Missing required payment information'), link('Back to Cart')],
  },
];
