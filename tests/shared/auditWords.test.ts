import { expect, test } from 'vitest';
import { actionLabel } from '../../src/shared/audit';
import { changesInWords, notRecorded } from '../../src/shared/auditWords';

const names = new Map([
  ['item-1', 'Ebbeh'],
  ['teas', 'Herbal Teas'],
]);
type Facts = Record<string, unknown>;
const told = (action: string, before: Facts, after: Facts) =>
  changesInWords({ action, before, after }, { names, timeZone: 'America/New_York' });
const shipped = { orderItemId: 'item-1', quantity: 2 };

test.each<[string, Facts, Facts, string[]]>([
  ['product.changed', { priceCents: 365 }, { priceCents: 402 }, ['Price $3.65 to $4.02']],
  ['product.changed', { unitCostCents: null }, { unitCostCents: 200 }, ['Cost per unit set to $2.00']],
  ['product.changed', { origin: 'Gambia' }, { origin: null }, ['Origin removed, was "Gambia"']],
  ['product.changed', { categoryId: 'teas' }, { categoryId: 'gone' }, ['Category Herbal Teas to a deleted category']],
  ['product.changed', { availability: true }, { availability: false }, ['Availability Available to Not Available']],
  ['product.created', {}, { name: 'Ebbeh', quantity: 1200, origin: null }, ['Name "Ebbeh"', 'Quantity 1,200']],
  ['order.status_changed', { status: 'PAID' }, { status: 'OUT_FOR_DELIVERY' }, ['Status Paid to On Delivery']],
  ['message.state_changed', { state: 'new' }, { state: 'read' }, ['Status Unread to Read']],
  ['user.role_changed', { role: 'ROLE_CUSTOMER' }, { role: 'ROLE_ADMIN' }, ['Role Customer to Admin']],
  [
    'user.staff_mails_changed',
    { newOrder: 'off', newMessage: false },
    { newOrder: 'each', newMessage: true },
    ['New orders No email to One email for each order', 'New messages off to on'],
  ],
  [
    'user.profile_changed',
    { fullName: notRecorded },
    { fullName: notRecorded },
    ['Full name changed (hidden for privacy)'],
  ],
  [
    'setting.changed',
    { isRequired: false },
    { isRequired: true },
    ['Two-step login for staff not required to required'],
  ],
  ['discount.changed', { endsAt: null }, { endsAt: '2026-12-01T05:00:00.000Z' }, ['Ends set to Dec 1, 2026, 12:00 AM']],
  ['alarm.settled', {}, { kind: 'mail_failed' }, ['Alert Email failed']],
  ['product.imported', {}, { created: 990, changed: 1010 }, ['Imported 2,000 products: 990 new, 1,010 updated']],
  ['order.note_added', {}, { text: notRecorded }, []],
  ['order.parcel_created', {}, { carrier: 'ups', lines: [shipped] }, ['Shipped 2 × Ebbeh with UPS']],
  ['order.parcel_created', {}, { carrier: 'other', lines: [shipped] }, ['Shipped 2 × Ebbeh with another carrier']],
  // of an amount
  ['order.refund_asked', {}, { refundId: 'x', amountCents: 500, restock: false }, ['Refunded $5.00']],
  ['order.refund_asked', {}, { amountCents: 500, restock: true }, ['Refunded $5.00: all items restocked']],
  ['product.changed', {}, { someNewFact: 3 }, ['Some new fact 3']],
])('the audit log describes %s from %j to %j in words', (action, before, after, words) => {
  expect(told(action, before, after)).toEqual(words);
});

test('a refund is described with its items and delivery', () => {
  const lines = [
    { orderItemId: 'item-1', quantity: 1, goodsCents: 1200, taxCents: 50, restock: true },
    { orderItemId: 'gone', quantity: 2, goodsCents: 100, taxCents: 0, restock: false },
  ];
  expect(told('order.refund_asked', {}, { refundId: 'x', amountCents: 1945, deliveryCents: 595, lines })).toEqual([
    'Refunded $19.45: 1 × Ebbeh (restocked), 2 × an item, delivery $5.95',
  ]);
});

test('every action has its words', () => {
  expect(actionLabel('order.refund_asked')).toBe('Refund requested');
  expect(actionLabel('list.shared_again')).toBe('List shared again');
});
