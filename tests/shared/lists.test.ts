import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applied,
  clampedCountTime,
  type ListChange,
  type ListItemFields,
  listLimits,
  type ProductList,
  toTenths,
  withListChange,
} from '../../src/shared/lists';

const userId = '6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10';
const at = '2026-03-14T09:26:53.589Z';
const later = '2026-03-14T10:00:00.000Z';

const create = (id: string, name = id): ListChange => ({
  operation: 'createList',
  input: { userId, list: { id, name } },
});
const rename = (listId: string, name: string): ListChange => ({
  operation: 'renameList',
  input: { userId, listId, name },
});
const remove = (listId: string): ListChange => ({ operation: 'deleteList', input: { userId, listId } });
const set = (listId: string, productId: string, fields: ListItemFields): ListChange => ({
  operation: 'setListItem',
  input: { userId, listId, productId, fields },
});
const take = (listId: string, productId: string): ListChange => ({
  operation: 'removeListItem',
  input: { userId, listId, productId },
});

const order = (...productIds: string[]): ListChange => ({
  operation: 'orderList',
  input: { userId, listId: 'dry', productIds },
});

const after = (...changes: ListChange[]): readonly ProductList[] =>
  changes.reduce<readonly ProductList[]>((lists, change) => withListChange(lists, change, at), []);
const itemsAfter = (...changes: ListChange[]) => after(create('dry'), ...changes)[0]?.items;
const errorOf = (lists: readonly ProductList[], change: ListChange) => applied(lists, change, at).rejection;

const pepper = { productId: 'pepper', par: null, onHand: null, countedAt: null };

test.each<[string, ListChange[], object[]]>([
  ['a product is put on with what is sent', [set('dry', 'pepper', { add: true, par: 6 })], [{ ...pepper, par: 6 }]],
  [
    'a par and a count leave each other alone',
    [set('dry', 'pepper', { add: true, par: 6 }), set('dry', 'pepper', { onHand: 2.5, countedAt: later })],
    [{ ...pepper, par: 6, onHand: 2.5, countedAt: later }],
  ],
  [
    'the last count stands',
    [set('dry', 'pepper', { add: true, onHand: 1, countedAt: later }), set('dry', 'pepper', { onHand: 3 })],
    [{ ...pepper, onHand: 3, countedAt: at }],
  ],
  [
    'a count that is taken back takes its time along',
    [set('dry', 'pepper', { add: true, onHand: 1 }), set('dry', 'pepper', { onHand: null, countedAt: later })],
    [pepper],
  ],
  [
    'the products named come first, the others follow as they stood, and one that is not on it is ignored',
    [...['pepper', 'salt', 'mace', 'bay'].map((id) => set('dry', id, { add: true })), order('bay', 'clove', 'salt')],
    ['bay', 'salt', 'pepper', 'mace'].map((productId) => ({ ...pepper, productId })),
  ],
  ['a time without a count says nothing', [set('dry', 'pepper', { add: true, countedAt: later })], [pepper]],
  [
    'adding what is there already sets only what is sent',
    [set('dry', 'pepper', { add: true, par: 6 }), set('dry', 'pepper', { add: true, onHand: 1 })],
    [{ ...pepper, par: 6, onHand: 1, countedAt: at }],
  ],
  [
    'what was taken off comes back without what it had, behind the others',
    [
      set('dry', 'pepper', { add: true, par: 6 }),
      set('dry', 'salt', { add: true }),
      take('dry', 'pepper'),
      set('dry', 'pepper', { add: true, onHand: 1 }),
    ],
    [
      { ...pepper, productId: 'salt' },
      { ...pepper, onHand: 1, countedAt: at },
    ],
  ],
  [
    'what was taken off stays off',
    [set('dry', 'pepper', { add: true }), take('dry', 'pepper'), set('dry', 'pepper', { onHand: 1 })],
    [],
  ],
])('%s', (_, changes, items) => expect(itemsAfter(...changes)).toEqual(items));

describe('a change is rejected', () => {
  const full = after(
    create('dry'),
    ...Array.from({ length: listLimits.items }, (_, place) => set('dry', `product ${place}`, { add: true })),
  );
  const many = after(...Array.from({ length: listLimits.lists }, (_, place) => create(`list ${place}`)));
  test.each<[string, readonly ProductList[], ListChange, string]>([
    ['of a list that is gone', [], set('dry', 'pepper', { add: true }), 'list_not_found'],
    [
      'of a product that is not on the list',
      after(create('dry')),
      set('dry', 'pepper', { par: 1 }),
      'list_item_not_found',
    ],
    ['that takes off what is not on it', after(create('dry')), take('dry', 'pepper'), 'list_item_not_found'],
    ['that deletes what is gone', [], remove('dry'), 'list_not_found'],
    ['that orders what is gone', [], order('pepper'), 'list_not_found'],
    ['that renames what is gone', [], rename('dry', 'Cold'), 'list_not_found'],
    [
      'by a name that is taken, whatever its case and width',
      after(create('dry', 'Bar')),
      create('x', ' ｂＡＲ '),
      'list_name_taken',
    ],
    ['by another list’s name', after(create('a', 'A'), create('b', 'B')), rename('b', 'a'), 'list_name_taken'],
    ['of one list more', many, create('one more'), 'too_many_lists'],
    ['of one product more', full, set('dry', 'pepper', { add: true }), 'list_full'],
  ])('%s', (_, lists, change, rejection) => {
    expect(errorOf(lists, change)).toBe(rejection);
    expect(withListChange(lists, change, later)).toBe(lists);
  });
});

test('a list may be renamed to its own name in another case, and is created once', () => {
  expect(after(create('dry', 'Bar'), rename('dry', ' BAR '), create('dry', 'Other'))).toEqual([
    { id: 'dry', name: 'BAR', changedAt: at, items: [] },
  ]);
});

test('a count is stored in whole tenths, and never later than the shop’s clock', () => {
  expect([0.1 + 0.2, 2.3, 998.9, 0].map(toTenths)).toEqual([3, 23, 9989, 0]);
  const now = new Date(at);
  expect(clampedCountTime(later, now)).toEqual(now);
  expect(clampedCountTime('2026-03-14T08:00:00.000Z', now).toISOString()).toBe('2026-03-14T08:00:00.000Z');
  expect(clampedCountTime(undefined, now)).toEqual(now);
});

const id = fc.constantFrom('a', 'b');
const product = fc.constantFrom('pepper', 'salt');
const fields: fc.Arbitrary<ListItemFields> = fc.record(
  {
    par: fc.option(fc.integer({ min: 0, max: 999 })),
    onHand: fc.option(fc.integer({ min: 0, max: 9990 }).map((tenths) => tenths / 10)),
    add: fc.constant(true as const),
  },
  { requiredKeys: [] },
);
const change = fc.oneof(
  id.map((list) => create(list)),
  id.map((list) => remove(list)),
  fc.tuple(id, product).map(([list, what]) => take(list, what)),
  fc.tuple(id, product, fields).map(([list, what, sent]) => set(list, what, sent)),
);

test('nothing returns unless a user adds it, and no field changes except by its own change', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      let lists: readonly ProductList[] = [];
      for (const each of changes) {
        const before = lists;
        lists = withListChange(lists, each, at);
        const had = itemsOf(before);
        for (const [name, item] of itemsOf(lists)) {
          const own = each.operation === 'setListItem' && name === `${each.input.listId} ${each.input.productId}`;
          const sent = own ? each.input.fields : {};
          if (!had.has(name)) expect(sent.add).toBe(true);
          expect(item.par).toBe(sent.par === undefined ? (had.get(name)?.par ?? null) : sent.par);
          expect(item.onHand).toBe(sent.onHand === undefined ? (had.get(name)?.onHand ?? null) : sent.onHand);
          expect(item.countedAt === null).toBe(item.onHand === null);
        }
      }
    }),
  );
});

const itemsOf = (lists: readonly ProductList[]) =>
  new Map(lists.flatMap((list) => list.items.map((item) => [`${list.id} ${item.productId}`, item])));
