/** Responses for the back office, where a screen needs more than a new shop has. */
import type { Schema } from '../../../src/shared/contract';
import type { Page } from 'playwright/test';
import { text, type Label } from './screen';

export const orderId = 'a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043';
export const userId = '6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10';
export const messageId = '3f5a9c1e-7b24-4d86-a0e3-6c8d2b4f9175';
export const at = '2026-11-14T15:42:00.000Z';

export const answer = (url: RegExp, data: object) => (page: Page) =>
  page.route(url, (route) => route.fulfill({ json: { message: '', data } }));
export const all =
  (...steps: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page);
  };
export const listOf = (...content: object[]) => ({
  content,
  pageable: { pageNumber: 0, totalPages: 1 },
  totalPages: 1,
  totalElements: content.length,
});
/** A phone shows rows as a list, without heads: the cells have what both share. */
export const cells = (...names: (string | RegExp)[]): Label[] => names.map(text);
export const person = (fullName: string, role: string, isEnabled = true) => ({
  id: role === 'ROLE_CUSTOMER' ? userId : '0b6f2f0c-3c1e-4f2b-9d55-1c7a8e4b6d21',
  fullName,
  email: `${fullName.split(' ')[0]?.toLowerCase()}@example.com`,
  role,
  createdAt: at,
  joinDate: at,
  isEnabled,
  hasSecondFactor: false,
  imageUrl: null,
  phoneNumber: null,
  dob: '1990-12-31',
  description: null,
  addresses: [],
});
/** Whom Musa Camara made staff: one directly, one through that one. */
export const madeStaff = {
  by: { userId, fullName: 'Musa Camara' },
  promotions: listOf(
    { user: person('Grace Okafor', 'ROLE_ADMIN'), by: { userId, fullName: 'Musa Camara' }, at },
    {
      user: { ...person('Kebba Touray', 'ROLE_ADMIN', false), id: orderId },
      by: { userId: messageId, fullName: 'Grace Okafor' },
      at,
    },
  ),
};
export const order = (orderStatus: Schema<'Order'>['orderStatus'], orderNumber = '100482') =>
  ({
    id: orderId,
    orderId,
    orderNumber,
    createdAt: at,
    customer: 'Awa Ceesay',
    totalAmount: 50.63,
    goods: 46.6,
    discount: { code: 'WELCOME10', amount: 4.66 },
    delivery: { name: 'Standard', price: 5.95 },
    tax: { state: 'OH', rate: 5.75, amount: 2.74 },
    deliveryNote: 'Leave it at the side door',
    orderStatus,
    deliveryAddress: { street: '118 Linden Street, Apt 4', city: 'Columbus', state: 'OH', postalCode: '43215' },
    orderItems: [
      {
        orderItemId: userId,
        productId: orderId,
        productName: 'Afra Grill Rub',
        imageUrl: null,
        quantity: 2,
        refundedQuantity: 0,
        shippedQuantity: orderStatus === 'PAID' ? 0 : 2,
        leftToShip: orderStatus === 'PAID' ? 2 : 0,
        unitPrice: 23.3,
        totalPrice: 46.6,
        discount: 4.66,
        tax: 2.41,
      },
    ],
    shipmentTrackingUrl: 'https://parcels.example.com/track/1042',
    timeline: [
      { status: 'PENDING_PAYMENT', at, by: 'Awa Ceesay', note: null },
      { status: 'PAID', at, by: null, note: null },
    ],
    paymentUrl: null,
    paidAt: at,
    refundedAmount: 4.5,
    refunds: [
      {
        id: messageId,
        amount: 4.5,
        state: 'done',
        isRestocked: true,
        reason: 'Broken lid',
        by: 'Musa Camara',
        createdAt: at,
        doneAt: at,
        lines: [],
        delivery: 0,
        tax: 0,
        other: 4.5,
        customerNote: null,
      },
    ],
  }) satisfies Schema<'Order'>;
export const orders = /\/api\/admin\/orders\?/;
export const oneOrder = /\/api\/admin\/orders\/[\da-f-]{36}$/;
export const someOrders = answer(orders, {
  orders: listOf({ ...order('PAID'), id: userId, userId }, order('OUT_FOR_DELIVERY', '100480'), {
    ...order('DELIVERED', '100479'),
    id: messageId,
  }),
});
export const fullOrder = answer(oneOrder, {
  orderResponse: order('PAID'),
  details: {
    account: { userId, fullName: 'Awa Ceesay', email: 'awa@example.com' },
    notes: [{ id: messageId, text: 'Rings at the side door', by: 'Musa Camara', at }],
    payment: { state: 'paid', amount: 46.6, sessionId: 'cs_test_1', paymentId: 'pi_1' },
    emails: [{ id: messageId, kind: 'order_confirmation', state: 'not_sent', recipient: 'awa@example.com', at }],
    parcelChanges: (['created', 'deleted'] as const).map((change) => ({
      change,
      carrier: null,
      by: 'Musa Camara',
      at,
    })),
    nextStatuses: ['OUT_FOR_DELIVERY', 'DELIVERED'],
    undo: null,
  },
});
const ups = {
  id: messageId,
  carrier: 'ups' as const,
  trackingNumber: '1Z 84F 29W 03 5518 2207',
  trackingUrl: 'https://www.ups.com/track?tracknum=1Z84F29W0355182207',
  shippedAt: at,
  lines: [{ orderItemId: userId, quantity: 1 }],
  by: 'Musa Camara',
  isNotified: false,
};
/** Two orders to ship, and one that a colleague has shipped. */
export const someToShip = answer(orders, {
  orders: listOf(
    order('PAID'),
    { ...order('PAID', '100481'), id: userId },
    {
      ...order('DELIVERED', '100479'),
      id: messageId,
      parcels: [ups],
    },
  ),
});
const shippedInPart = order('PAID');
/** One of two units is in a package with a number, the other is left to ship. */
const partOf = (orderNumber: string) =>
  ({
    ...shippedInPart,
    orderNumber,
    shipmentTrackingUrl: null,
    orderItems: shippedInPart.orderItems.map((item) => ({ ...item, shippedQuantity: 1, leftToShip: 1 })),
    parcels: [ups],
  }) satisfies Schema<'Order'>;
export const partlyShipped = answer(oneOrder, {
  orderResponse: partOf('100482'),
  details: {
    account: { userId, fullName: 'Awa Ceesay', email: 'awa@example.com' },
    notes: [],
    payment: null,
    nextStatuses: ['OUT_FOR_DELIVERY', 'DELIVERED'],
    undo: null,
  },
});
export const alarm = {
  id: messageId,
  kind: 'paid_undeliverable',
  detail: 'Paid after it had been cancelled.',
  orderId,
  orderNumber: '100482',
  createdAt: at,
  settledAt: null,
  settledBy: null,
};
export const alarms = answer(/\/api\/admin\/alarms/, { alarms: listOf(alarm) });
const holdLine = (productName: string, units: number, stock: number) => ({
  productId: `${productName.length.toString(16).padStart(8, '0')}-2d19-4b86-9e3f-7a1c6d8b2f45`,
  productName,
  units,
  stock,
});
export const hold = (fullName: string, lines: ReturnType<typeof holdLine>[] = [], isEnding = false) => ({
  orderId: lines.length > 0 ? orderId : messageId,
  orderNumber: lines.length > 0 ? '100482' : '100479',
  userId,
  fullName,
  email: `${fullName.split(' ')[0]?.toLowerCase()}@example.com`,
  hasPaid: lines.length === 0,
  totalAmount: 640.5,
  since: at,
  until: '2026-11-14T16:13:00.000Z',
  isEnding,
  lines: [...lines, holdLine('Kani', 2, 60)],
});
export const holds = /\/api\/admin\/holds\?/;
export const someHolds = answer(holds, {
  holds: listOf(
    hold('Awa Ceesay', [
      holdLine('Afra Grill Rub', 40, 40),
      holdLine('Smoked Bonga Seasoning with Dried Okra', 36, 38),
      holdLine('Nététou', 24, 40),
    ]),
    hold('Lamin Touray', [], true),
  ),
});
export const users = /\/api\/admin\/users\?/;
export const oneUser = /\/api\/admin\/users\/[\da-f-]{36}$/;
const summary = {
  orders: 7,
  toShip: 1,
  spent: 412.3,
  firstOrderAt: at,
  lastOrderAt: '2026-11-28T15:42:00.000Z',
  tags: ['no peanuts', 'supper club'],
  notes: [{ id: messageId, text: 'Runs a supper club', by: 'Musa Camara', at }],
} satisfies Schema<'CustomerSummary'>;
const customerSummary = /\/api\/admin\/users\/[\da-f-]{36}\/summary$/;
export const someSummary = answer(customerSummary, { summary });
export const noOrdersYet = answer(customerSummary, {
  summary: { ...summary, orders: 0, toShip: 0, spent: 0, firstOrderAt: null, lastOrderAt: null, tags: [], notes: [] },
});
export const promotions = /\/api\/admin\/users\/[^/]+\/promotions/;
export const message = {
  id: messageId,
  fullName: 'Lamin Touray',
  email: 'lamin@example.com',
  phone: '404 555 0100',
  reason: 'Do you ship half-kilo bags?',
  userId: null,
  state: 'read',
  createdAt: at,
  readAt: at,
  answeredAt: null,
};
export const messages = /\/api\/admin\/messages\?/;
export const someMessages = answer(messages, {
  messages: listOf(message, { ...message, id: userId, fullName: '', state: 'new' }),
});
export const mail = {
  id: messageId,
  kind: 'order_confirmation',
  recipient: 'awa@example.com',
  orderId,
  orderNumber: '100482',
  state: 'failed',
  attempts: 3,
  lastError: 'No answer',
  createdAt: at,
  sentAt: null,
};
export const mails = /\/api\/admin\/mails\?/;
export const someMails = answer(mails, { mails: listOf(mail) });
export const entry = {
  id: '118',
  at,
  actor: { userId, fullName: 'Musa Camara' },
  action: 'order.status_changed',
  targetKind: 'order',
  targetId: orderId,
  before: { status: 'PAID' },
  after: { status: 'OUT_FOR_DELIVERY' },
  requestId: null,
  thing: 'Order #1002',
  changes: ['Status Paid to On Delivery'],
};
export const dashboard = {
  from: '2026-01-01',
  to: '2026-03-31',
  timeZone: 'America/New_York',
  bucket: 'month',
  revenue: 58_800,
  paidAmount: 58_900,
  refundedAmount: 100,
  netSales: 53_520.6,
  grossProfit: 33_940.2,
  unitsWithoutCost: 0,
  expenses: 35_400,
  sales: 1284,
  series: ['2026-01-01', '2026-02-01', '2026-03-01'].map((day, place) => ({
    from: `${day}T05:00:00.000Z`,
    label: day,
    revenue: 19_000 + 600 * place,
    expenses: 11_800,
    sales: 428,
  })),
  attention: [{ kind: 'paid_undeliverable', count: 1 }],
  newMessages: 2,
};

export const failingServer = {
  host: 'smtp.example.com',
  port: 587,
  security: 'starttls',
  user: 'shop@example.com',
  hasPassword: true,
  sender: 'shop@example.com',
  isFixed: false,
  state: 'failing',
  failure: { reason: 'login', response: '535 5.7.8 Authentication failed', at: '2026-11-20T14:10:00.000Z' },
  workedAt: null,
  waiting: 3,
} satisfies Schema<'EmailSettings'>;

const nothingLeft = [{ orderId: messageId, orderNumber: '100478', orderStatus: 'REFUNDED' as const }];
const pickLine = (productName: string, units: number, more: Partial<Schema<'PickListLine'>> = {}) =>
  ({
    productId: userId,
    productName,
    sku: null,
    shelf: null,
    imageUrl: null,
    units,
    orders: [{ orderId, orderNumber: '100480', units }],
    ...more,
  }) satisfies Schema<'PickListLine'>;
const pickLines = [
  pickLine('Afra Grill Rub', 5, {
    netGrams: 110,
    shelf: 'A 02',
    sku: 'AGR-110',
    barcode: '4006381333931',
    orders: [
      { orderId: userId, orderNumber: '100482', units: 2 },
      { orderId, orderNumber: '100480', units: 3 },
    ],
  }),
  pickLine('Cumin Seeds', 2, { productId: orderId, shelf: 'A 10' }),
  pickLine('Yassa Marinade Mix', 1, { productId: messageId }),
];
/** Two orders to pack, one of them shipped in part, one that was shipped, and one with nothing left. */
export const packing = all(
  answer(/\/api\/admin\/orders\/pick-list\?/, { lines: pickLines, nothingLeft }),
  answer(/\/api\/admin\/orders\/packing-slips\?/, {
    orders: [{ ...order('DELIVERED', '100479'), id: messageId }, partOf('100480'), { ...order('PAID'), id: userId }],
    nothingLeft,
  }),
);
export const chosenPath = (page: string) => `/admin/orders/${page}?ids=${[userId, orderId, messageId].join()}`;
