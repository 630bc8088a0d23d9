import { expect, test } from 'vitest';
import {
  type Change,
  changesOfOrders,
  changesOfProducts,
  changesMessages,
  groupsOf,
  type NotedChange,
  recentChanges,
  rowsOf,
} from '../../src/shared/changes';
import type { Schema } from '../../src/shared/contract';

const pepper: Schema<'Product'> = {
  id: 'pepper',
  name: 'Black Pepper',
  description: '',
  price: 7.95,
  availability: true,
  quantity: 5,
  imageUrl: null,
  productCategory: { id: 'c', name: 'spices', title: 'Spices' },
  version: 1,
  picture: null,
  unitSize: '50 g',
  origin: null,
  heatLevel: null,
  allergens: [],
  otherNames: [],
  taxable: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  archived: false,
};
const watched = () => true;
const differences = (before: Partial<typeof pepper>, after: Partial<typeof pepper>) =>
  changesOfProducts(new Map([['pepper', { ...pepper, ...before }]]), [{ ...pepper, ...after }], watched);
const ofPepper = { productId: 'pepper', name: 'Black Pepper' };

test.each<[string, Partial<typeof pepper>, Partial<typeof pepper>, Change[]]>([
  ['a price', {}, { price: 8.45 }, [{ kind: 'price', ...ofPepper, from: 795, to: 845 }]],
  [
    'a product that is sold out',
    {},
    { availability: false, quantity: 0 },
    [{ kind: 'offer', ...ofPepper, from: 'in_stock', to: 'sold_out' }],
  ],
  [
    'a product that is back',
    { availability: false },
    {},
    [{ kind: 'offer', ...ofPepper, from: 'sold_out', to: 'in_stock' }],
  ],
  [
    'a product that is no longer sold, whose price is of no use',
    {},
    { archived: true, availability: false, price: 1 },
    [{ kind: 'offer', ...ofPepper, from: 'in_stock', to: 'not_sold' }],
  ],
  [
    'both price and stock',
    {},
    { availability: false, price: 8 },
    [
      { kind: 'price', ...ofPepper, from: 795, to: 800 },
      { kind: 'offer', ...ofPepper, from: 'in_stock', to: 'sold_out' },
    ],
  ],
  ['fewer in stock, another text', {}, { quantity: 2, description: 'Whole.', version: 2 }, []],
])('a change is reported: %s', (_, before, after, told) => expect(differences(before, after)).toEqual(told));

test('a product in neither cart nor list is left out, and a new one is reported all the same', () => {
  const before = new Map([['pepper', pepper]]);
  const after = [
    { ...pepper, price: 1 },
    { ...pepper, id: 'cubeb', name: 'Cubeb Pepper' },
  ];
  expect(changesOfProducts(before, after, () => false)).toEqual([
    { kind: 'new', productId: 'cubeb', name: 'Cubeb Pepper' },
  ]);
});

test('a product that was never sold here is no new one, and of many new ones the newest 10 are reported', () => {
  const many = Array.from({ length: 12 }, (_, place) => ({ ...pepper, id: `p${place}`, archived: place === 11 }));
  const told = changesOfProducts(new Map(), many, watched);
  expect(told.map((change) => change.kind === 'new' && change.productId)).toEqual(
    many.slice(1, 11).map(({ id }) => id),
  );
});

const order = { orderId: 'o', orderNumber: '100482', orderStatus: 'PAID' as const };

test('an order with another status is reported; one that the device did not know has not changed', () => {
  const sent = { ...order, orderStatus: 'OUT_FOR_DELIVERY' as const };
  expect(changesOfOrders([order], [sent, { ...order, orderId: 'other' }])).toEqual([
    { kind: 'order', orderId: 'o', orderNumber: '100482', from: 'PAID', to: 'OUT_FOR_DELIVERY' },
  ]);
  expect(changesOfOrders([order], [order])).toEqual([]);
});

const noted = (at: number, change: Change): NotedChange => ({ key: `${at}`, userId: 'ana', at, change });
const price = (from: number, to: number): Change => ({ kind: 'price', ...ofPepper, from, to });

test('two changes of one thing are one row, from its first state, and dismissing it dismisses both', () => {
  expect(rowsOf([noted(2, price(500, 600)), noted(1, price(400, 500))])).toEqual([
    { id: 'price:pepper', keys: ['1', '2'], at: 2, change: price(400, 600) },
  ]);
});

test('a change that was reverted is no row', () =>
  expect(rowsOf([noted(1, price(400, 500)), noted(2, price(500, 400))])).toEqual([]));

test('the groups of the sheet are in their order: orders, prices, sold out, back, no longer sold, new', () => {
  const changes: Change[] = [
    { kind: 'new', productId: 'n', name: 'New' },
    { kind: 'offer', productId: 'g', name: 'Gone', from: 'in_stock', to: 'not_sold' },
    { kind: 'offer', productId: 'b', name: 'Back', from: 'sold_out', to: 'in_stock' },
    { kind: 'offer', productId: 's', name: 'Out', from: 'in_stock', to: 'sold_out' },
    price(1, 2),
    { kind: 'order', orderId: 'o', orderNumber: '1', from: 'PAID', to: 'DELIVERED' },
  ];
  const groups = groupsOf(rowsOf(changes.map((change, place) => noted(place, change))));
  expect(groups.map(({ group }) => changesMessages.groups[group])).toEqual([
    'Your orders',
    'Prices',
    'Sold out',
    'Back in stock',
    'No longer sold',
    'New',
  ]);
});

test('after 30 days a change is forgotten', () => {
  const day = 24 * 60 * 60 * 1000;
  const [old, young] = [noted(0, price(1, 2)), noted(day, price(1, 2))];
  expect(recentChanges([old, young], 30 * day)).toEqual([young]);
});

test.each([
  [true, [], 'in your cart'],
  [false, ['Weekly kitchen'], 'in Weekly kitchen'],
  [true, ['Pantry'], 'in your cart and Pantry'],
  [false, [], ''],
])('a product’s location: in the cart %s, on %j', (isInCart, lists, said) =>
  expect(changesMessages.where(isInCart, lists)).toBe(said),
);
