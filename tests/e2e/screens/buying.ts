import type { Page } from 'playwright/test';
import { goOffline, isCut } from './offline';
import { summed } from './summed';
import { button, change, heading, label, link, onPage, press, text, type Screen } from './screen';

/** From the cart to the payment. */
const cartPath = /\/api\/public\/cart\//;
const success = '/customer/order/success?session_id=cs_test_1&user_id=u&cart_id=c';

const withLines = (edit: (lines: object[]) => object[]) =>
  change(cartPath, ({ cartResponse }: { cartResponse: { cartItems: object[] } }) => {
    cartResponse.cartItems = edit(cartResponse.cartItems);
  });
const noAddresses = change(/\/api\/public\/users\//, ({ user }: { user: { addresses: object[] } }) => {
  user.addresses = [];
});
const answerPayment = (orderStatus: string) => (page: Page) =>
  page.route(/check-status/, (route) => {
    const isGivenBack = orderStatus === 'REFUNDED';
    const payment = {
      orderId: '7ff42bbf-cce2-5263-98b5-d41cb2a4c1ce',
      orderNumber: '100482',
      totalAmount: 46.6,
      orderStatus,
      isGivenBack,
    };
    return route.fulfill({ json: { message: '', data: { payment } } });
  });
const newAddress = async (page: Page) => {
  await press('Add New Address')(page);
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
    expected: isCut,
    labels: [
      heading('Cart'),
      ...['Photo', 'Name', 'Price', 'Quantity', 'Total'].map(label('columnheader', 'main')),
      text('Subtotal'),
      label('group', 'main')('Quantity of Afra Grill Rub, 3.9 oz (110 g)'),
      button('Increase'),
      button('Proceed to Checkout'),
      button('Clear Cart'),
      button(/^Remove /),
      ...onPage('link', /^Cart, \d+ items?$/),
    ],
    opens: [
      {
        name: 'Clear Cart, asking',
        act: press('Clear Cart'),
        labels: [...onPage('alertdialog', 'Clear Cart'), ...onPage('button', 'Cancel')],
      },
      {
        name: 'cart without a connection',
        act: async (page) => {
          await goOffline(page);
          await page.getByRole('button', { name: 'Increase' }).first().click();
        },
        labels: [
          ...onPage('text', '1 waiting to sync'),
          text("Saved. We'll sync it when you're back online."),
          text('Go online to check out'),
          button('Proceed to Checkout'),
        ],
      },
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
      text(/^Now \$8\.95 \(was \$[\d.]+\)$/),
      button('OK, $8.95'),
      text('Sold out'),
      text('Only 2 left'),
      button('Take 2'),
      text('This product is no longer sold'),
      button('Remove'),
      button('Review 4 changes'),
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
    name: 'checkout with no saved address',
    as: 'customer',
    path: '/checkout',
    provoke: noAddresses,
    act: press('Cancel'), // the form is open
    labels: [text('No saved addresses found.'), button('Add New Address')],
    opens: [
      {
        name: 'the dialog for a new address',
        act: newAddress,
        labels: [
          ...onPage('dialog', 'Add a New Address'),
          ...onPage('field', 'Full Name', 'Street Address', 'City', 'State', 'Postal Code'),
          ...onPage('button', 'Cancel', 'Use This Address'),
        ],
      },
    ],
  },
  ...summed,
  {
    name: 'a payment that went through',
    as: 'customer',
    path: success,
    provoke: answerPayment('PAID'),
    labels: [
      heading(/^Thank you, /),
      text(/^Order #100482 is confirmed\./),
      heading('Your order'),
      text('Total amount'),
      text('$46.60'),
      link('View order'),
      link('Keep shopping'),
      link('Receipt'),
    ],
    expected: /status of 404/, // there is no such order, so its items stay away
  },
  {
    name: 'a payment while the shop cannot be reached',
    as: 'customer',
    path: success,
    provoke: (page) => page.route(/check-status/, (route) => route.abort('internetdisconnected')),
    labels: [heading('Processing your payment...'), text("We'll check again when you're back online.")],
    expected: /ERR_INTERNET_DISCONNECTED/,
  },
  {
    name: 'a payment that failed',
    as: 'customer',
    path: '/customer/order/success',
    labels: [heading('Payment Processing Error'), text('Missing required payment information'), link('Back to Cart')],
  },
];
