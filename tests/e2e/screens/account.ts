import type { Schema } from '../../../src/shared/contract';
import { orderStatuses, statusLabels } from '../../../src/shared/orders';
import { button, field, heading, label, link, onPage, press, text, type Screen } from './screen';

/** Logging in, and a customer's orders. */
const ordersPath = /\/customerorders\//;
const orderId = 'a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043';
const at = '2026-11-14T12:00:00Z';

export const account: Screen[] = [
  {
    name: 'login',
    as: 'visitor',
    path: '/login',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Log in' }).click(),
    labels: [
      heading('Log in'),
      text('Email is required'),
      text('Password is required'),
      ...['Email', 'Password', 'Remember me'].map(field),
      button('Show password'),
      button('Log in'),
      link('Forgot Password'),
      link('Register'),
    ],
  },
  {
    name: 'register',
    as: 'visitor',
    path: '/register',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Register' }).click(),
    labels: [
      heading('Register'),
      ...['Full Name', 'Email', 'Password', 'Confirm password', 'Street address', 'City', 'State', 'ZIP code'].map(
        field,
      ),
      text('Please confirm your password'),
      text('Postal Code is required'),
      link('Login'),
    ],
  },
  {
    name: 'order history',
    as: 'customer',
    path: '/customer/orders',
    provoke: async (page) => {
      const statuses = orderStatuses.filter((status) => status !== 'OUT_FOR_DELIVERY');
      await answerWith([
        order('OUT_FOR_DELIVERY', { shipmentTrackingUrl: 'https://example.com/track/100482' }),
        ...statuses.map((status, place) =>
          order(status, { orderNumber: `${place}`, paymentUrl: urlOfPayment(status) }),
        ),
        shippedInPart(),
      ])(page);
      await page.route(/\/reorder$/, (route) => {
        const lines = [reordered('price_changed', 2), reordered('not_enough_stock', 1), reordered('archived', 0)];
        return route.fulfill({ json: { message: '', data: { reorder: { orderId, lines } } } });
      });
    },
    labels: [
      heading('Orders'),
      link('Back to Home'),
      label('article', 'main')('Order #100482'),
      heading('Order #100482'),
      text('Nov 14, 2026'),
      text('Afra Grill Rub'),
      text('Quantity: 2'),
      text('Total'),
      text('$15.90'),
      text('Ship to'),
      text(/^Example Cook\s*12 Market Street\s*Atlanta, GA 30303$/),
      link('Track'),
      text('Partially shipped'),
      text('2 ordered, 1 shipped, 1 left to ship'),
      text('Package 1 of 2 · USPS'),
      text('9400 1118 9956 1842 7310 02'),
      text('Not shipped yet'),
      link('Track package 1'),
      link('Receipt for order 100482'),
      button('Reorder order 100482'),
      ...Object.values(statusLabels).map(text),
      link(/^Pay now/),
      button(/^Cancel order/),
      button('Previous'),
      link('Page 2'),
      link('Next'),
    ],
    opens: [
      {
        name: 'ordering again, before anything is added',
        act: press('Reorder'),
        labels: [
          ...onPage('dialog', 'Reorder'),
          ...onPage('text', 'Was $7.95', /^1 instead of 2/, /no longer sold/),
          ...onPage('button', 'Cancel', 'Add 3 items'),
        ],
      },
    ],
  },
  {
    name: 'a receipt',
    as: 'customer',
    path: `/customer/orders/${orderId}/receipt`,
    provoke: (page) =>
      page.route(/\/public\/order\/[\da-f-]{36}$/, (route) =>
        route.fulfill({
          json: { message: '', data: { orderResponse: order('PAID', { ...inParts, refundedAmount: 7.44, refunds }) } },
        }),
      ),
    labels: [
      heading('Receipt'),
      label('article', 'main')('Receipt for order 100482'),
      text('Order #'),
      text('Total charged'),
      text('Discount (WELCOME10)'),
      text('Delivery (Standard)'),
      text('Sales tax (GA 4%)'),
      text('Afra Grill Rub, 1'),
      text(/^Refunded /),
      text('$13.63'),
      button('Print'),
      link('Back to Orders'),
    ],
  },
  {
    name: 'an empty order history',
    as: 'customer',
    path: '/customer/orders',
    labels: [text('No orders found.'), link('Savory & Seasoning'), link('Spices')],
  },
];

const refunds = [
  {
    id: 'r',
    amount: 7.44,
    state: 'done',
    isRestocked: false,
    reason: null,
    by: null,
    createdAt: at,
    doneAt: at,
    lines: [
      { orderItemId: 'i', productName: 'Afra Grill Rub', quantity: 1, isRestocked: false, amount: 7.15, tax: 0.29 },
    ],
    delivery: null,
    tax: 0.29,
    other: null,
    customerNote: 'We are sorry about the lid.',
  },
];
const inParts = {
  totalAmount: 21.07,
  goods: 15.9,
  discount: { code: 'WELCOME10', amount: 1.59 },
  delivery: { name: 'Standard', price: 5.95 },
  tax: { state: 'GA', rate: 4, amount: 0.81 },
};

const urlOfPayment = (status: string) => (status === 'PENDING_PAYMENT' ? 'https://example.com' : null);
const reordered = (notice: string, quantity: number) => ({
  productId: notice,
  productName: 'Afra Grill Rub',
  imageUrl: null,
  orderedQuantity: 2,
  orderedPrice: 7.95,
  currentPrice: 8.95,
  stock: 1,
  inCart: 0,
  quantity,
  notice,
});

function order(orderStatus: Schema<'Order'>['orderStatus'], more: object = {}) {
  return {
    id: `of ${orderStatus}`,
    orderId: `of ${orderStatus}`,
    orderNumber: '100482',
    createdAt: at,
    paidAt: at,
    customer: 'Example Cook',
    totalAmount: 15.9,
    goods: 15.9,
    discount: null,
    delivery: null,
    tax: null,
    deliveryNote: null,
    orderStatus,
    deliveryAddress: { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' },
    orderItems: [
      {
        orderItemId: 'i',
        productId: 'p',
        productName: 'Afra Grill Rub',
        imageUrl: null,
        quantity: 2,
        refundedQuantity: 0,
        shippedQuantity: 0,
        leftToShip: 2,
        unitPrice: 7.95,
        totalPrice: 15.9,
        discount: 0,
        tax: 0,
      },
    ],
    shipmentTrackingUrl: null,
    timeline: [],
    paymentUrl: null,
    refundedAmount: 0,
    refunds: [],
    ...more,
  } satisfies Schema<'Order'>;
}

/** One of two units is in a package, the other is left to ship. */
function shippedInPart() {
  const whole = order('PAID', { orderNumber: '100483' });
  return {
    ...whole,
    orderItems: whole.orderItems.map((item) => ({ ...item, shippedQuantity: 1, leftToShip: 1 })),
    parcels: [
      {
        id: 'parcel',
        carrier: 'usps',
        trackingNumber: '9400 1118 9956 1842 7310 02',
        trackingUrl: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=9400111899561842731002',
        shippedAt: whole.createdAt,
        lines: [{ orderItemId: 'i', quantity: 1 }],
        by: null,
        isNotified: true,
      },
    ],
  } satisfies Schema<'Order'>;
}

function answerWith(content: object[]): NonNullable<Screen['provoke']> {
  const orders = { content, pageable: { pageNumber: 0, totalPages: 3 }, totalPages: 3, totalElements: 21 };
  return (page) => page.route(ordersPath, (route) => route.fulfill({ json: { message: '', data: { orders } } }));
}
