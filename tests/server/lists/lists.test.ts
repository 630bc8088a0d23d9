import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  applied,
  clampedCountTime,
  type ListChange,
  type ListItemFields,
  type ProductList,
} from '../../../src/shared/lists';
import { findBreaches } from '../../support/books';
import { listsOf } from '../../support/lists';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let ana: Person;
let pepper: string;
beforeAll(async () => {
  shop = await openShop();
  pepper = (await shop.stock({ name: 'Pepper' })).id;
});
beforeEach(async () => (ana = await shop.signIn()));
afterAll(() => shop.close());

const { create, rename, remove, order, set, take, lists } = listsOf(() => shop);

test('a list is stored under the device’s own id, and another user may have the same one', async () => {
  const [id, ben] = [randomUUID(), await shop.signIn()];
  await create(ana, id, '  Dry store ');
  await set(ana, id, pepper, { add: true, par: 6, onHand: 2.5 });
  const [{ changedAt } = { changedAt: '' }] = await lists(ana);
  const item = { productId: pepper, par: 6, onHand: 2.5, countedAt: changedAt };
  expect(await lists(ana)).toEqual([{ id, name: 'Dry store', changedAt, items: [item] }]);
  expect(await lists(ben)).toEqual([]);
  await create(ben, id, 'Bar');
  expect(await lists(ben)).toMatchObject([{ id, name: 'Bar', items: [] }]);
  await remove(ben, id);
  expect(await lists(ana)).toHaveLength(1);
});

test('a list that is created again stays unchanged', async () => {
  const id = randomUUID();
  await create(ana, id, 'Bar');
  await set(ana, id, pepper, { add: true });
  expect((await create(ana, id, 'Another')).data.list).toMatchObject({ name: 'Bar', items: [{ productId: pepper }] });
});

test.each(['', '   ', 'x'.repeat(61)])('a name like "%s" is rejected under its field', async (name) => {
  const refused = await create(ana, randomUUID(), name);
  expect(refused).toMatchObject({ status: 400, errors: [{ field: 'name' }] });
});

test.each<[string, object]>([
  ['a par that is no whole number', { par: 1.5 }],
  ['a par below nothing', { par: -1 }],
  ['a par above 999', { par: 1000 }],
  ['a count with two decimals', { onHand: 0.25 }],
  ['a count above 999', { onHand: 999.1 }],
  ['a time that is none', { onHand: 1, countedAt: 'now' }],
  ['a time of the year 0', { onHand: 1, countedAt: '0000-06-01T00:00:00Z' }],
  ['a leap second', { onHand: 1, countedAt: '2016-12-31T23:59:60Z' }],
  ['a time behind the year 9999', { onHand: 1, countedAt: '9999-12-31T23:59:59-12:00' }],
  ['an add that says no', { add: false }],
])('%s is rejected', async (_, fields) => {
  const id = randomUUID();
  await create(ana, id);
  expect(await set(ana, id, pepper, { add: true, ...fields })).toMatchObject({ status: 400 });
  expect((await lists(ana))[0]?.items).toEqual([]);
});

test.each([0, 0.1, 0.3, 2.3, 99.9, 999])('a count of %s comes back as it was sent', async (onHand) => {
  const id = randomUUID();
  await create(ana, id);
  await set(ana, id, pepper, { add: true, onHand });
  expect((await lists(ana))[0]?.items).toMatchObject([{ onHand }]);
});

test('the time of a count is the device’s, but never later than the shop’s', async () => {
  const [id, now] = [randomUUID(), shop.clock.now()];
  await create(ana, id);
  const countedAt = async (sent: string) => {
    await set(ana, id, pepper, { add: true, onHand: 1, countedAt: sent });
    const [list] = await lists(ana);
    return list && { counted: list.items[0]?.countedAt, changed: list.changedAt };
  };
  const [before, after] = [-3_600_000, 3_600_000].map((ms) => new Date(now.getTime() + ms).toISOString());
  expect(await countedAt(before ?? '')).toMatchObject({ counted: before });
  const { counted, changed } = (await countedAt(after ?? '')) ?? {};
  expect(counted).toBe(changed);
});

test('an account’s lists are deleted with it', async () => {
  const id = randomUUID();
  await create(ana, id);
  await set(ana, id, pepper, { add: true });
  const { rows } = await shop.pool.query(
    `select confdeltype from pg_constraint where contype = 'f' and conname in ('lists_user_id_users_id_fk', 'list_items_list')`,
  );
  expect(rows).toEqual([{ confdeltype: 'c' }, { confdeltype: 'c' }]);
});

test('parallel changes leave no two lists of one name, none too many, and each field as its last change left it', async () => {
  const ids = Array.from({ length: 6 }, () => randomUUID());
  const made = await Promise.all(ids.map((id, place) => create(ana, id, place % 2 ? 'Bar' : 'BAR')));
  expect(made.filter(({ status }) => status === 200)).toHaveLength(1);
  const [{ id } = { id: '' }] = await lists(ana);
  await Promise.all([
    ...ids.map((_, par) => set(ana, id, pepper, { add: true, par })),
    set(ana, id, pepper, { add: true, onHand: 7 }),
  ]);
  const [item, ...others] = (await lists(ana))[0]?.items ?? [];
  expect(others).toEqual([]);
  expect(item).toMatchObject({ onHand: 7, par: expect.any(Number) as number });
  expect(await findBreaches({ pool: shop.pool, ledger: undefined })).toEqual([]);
});

/** While a change waits, the device shows the result of the same function that the server uses. */
test('the shop applies each change as the device predicts', async () => {
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  const [salt, mace] = [await shop.stock({ name: 'Salt' }), await shop.stock({ name: 'Mace' })];
  const products = [pepper, salt.id, mace.id];
  const id = fc.constantFrom(a, b, c);
  const name = fc.constantFrom('Bar', 'bar ', 'Dry store', 'Cold');
  const product = fc.constantFrom(...products);
  const fields: fc.Arbitrary<ListItemFields> = fc.record(
    {
      par: fc.option(fc.integer({ min: 0, max: 999 })),
      onHand: fc.option(fc.integer({ min: 0, max: 9990 }).map((tenths) => tenths / 10)),
      countedAt: fc.constantFrom('2020-03-14T09:26:53.589Z', '2099-01-01T00:00:00.000Z'),
      add: fc.constant(true as const),
    },
    { requiredKeys: [] },
  );
  const change: fc.Arbitrary<ListChange> = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.tuple(id, name).map(([list, called]) => madeBy('createList', { list: { id: list, name: called } })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(id, name).map(([listId, called]) => madeBy('renameList', { listId, name: called })),
    },
    { weight: 1, arbitrary: id.map((listId) => madeBy('deleteList', { listId })) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(id, product, fields)
        .map(([listId, productId, sent]) => madeBy('setListItem', { listId, productId, fields: sent })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(id, fc.shuffledSubarray([...products, randomUUID()]))
        .map(([listId, productIds]) => madeBy('orderList', { listId, productIds })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(id, product).map(([listId, productId]) => madeBy('removeListItem', { listId, productId })),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 25 }), async (changes) => {
      const person = await shop.signIn();
      let expected: readonly ProductList[] = [];
      for (const each of changes) {
        const answer = await sentBy(person, each);
        const at = answer.code ? '' : changedAtOf(answer.data);
        const after = applied(expected, inTime(each, at), at);
        expect(answer.code).toBe(after.rejection);
        if (!after.rejection) expected = after.lists;
      }
      expect(await lists(person)).toEqual(expected);
    }),
    { numRuns: 8 },
  );
});

const madeBy = (operation: ListChange['operation'], input: object) =>
  ({ operation, input: { userId: '', ...input } }) as ListChange;

/** When the shop applied it. */
const changedAtOf = (data: object): string => ('list' in data ? (data.list as ProductList).changedAt : '');

function inTime(change: ListChange, at: string): ListChange {
  if (change.operation !== 'setListItem' || at === '') return change;
  const { fields } = change.input;
  const countedAt = clampedCountTime(fields.countedAt, new Date(at)).toISOString();
  return { ...change, input: { ...change.input, fields: { ...fields, countedAt } } };
}

function sentBy(person: Person, change: ListChange) {
  switch (change.operation) {
    case 'createList':
      return create(person, change.input.list.id, change.input.list.name);
    case 'renameList':
      return rename(person, change.input.listId, change.input.name);
    case 'deleteList':
      return remove(person, change.input.listId);
    case 'orderList':
      return order(person, change.input.listId, [...change.input.productIds]);
    case 'setListItem':
      return set(person, change.input.listId, change.input.productId, change.input.fields);
    default:
      change.operation satisfies 'removeListItem';
      return take(person, change.input.listId, change.input.productId);
  }
}
