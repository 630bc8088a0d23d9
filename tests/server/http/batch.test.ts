import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { rateLimits } from '../../../src/server/http/limits/limitTable';
import type { Schema } from '../../../src/shared/contract';
import { listsOf } from '../../support/lists';
import { openOwnShop, openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let ana: Person;
let pepper: string;
let salt: string;
let listId: string;
beforeAll(async () => {
  shop = await openShop();
  [pepper, salt] = [(await shop.stock({ name: 'Pepper' })).id, (await shop.stock({ name: 'Salt' })).id];
});
beforeEach(async () => {
  [ana, listId] = [await shop.signIn(), randomUUID()];
  await create(ana, listId);
  for (const productId of [pepper, salt]) await set(ana, listId, productId, { add: true, par: 6 });
});
afterAll(() => shop.close());

const { create, set, take, lists } = listsOf(() => shop);
const send = (as: Person, changes: readonly object[]) => shop.call('sendBatch', { as, body: { changes } });
const change = (
  productId: string,
  body: Schema<'ListItemFields'>,
  { key, of = ana }: { key?: string; of?: Person } = {},
) => ({
  key: key ?? randomUUID(),
  method: 'PUT' as const,
  path: `/public/lists/${of.userId}/${listId}/items/${productId}`,
  body,
});
const counts = async () => (await lists(ana))[0]?.items.map(({ onHand }) => onHand);
const statuses = async (changes: readonly object[]) =>
  (await send(ana, changes)).data.answers.map(({ status }) => status);

test('the changes of a batch run in order, and each is answered as if sent alone', async () => {
  const { data } = await send(ana, [
    change(pepper, { onHand: 1 }),
    change(salt, { onHand: 2 }),
    change(pepper, { onHand: 3 }),
  ]);
  expect(await counts()).toEqual([3, 2]);
  expect(data.answers).toMatchObject([
    { status: 200, answer: { data: { list: { items: [{ onHand: 1 }, { onHand: null }] } } } },
    { status: 200, answer: { data: { list: { items: [{ onHand: 1 }, { onHand: 2 }] } } } },
    { status: 200, answer: { data: { list: { items: [{ onHand: 3 }, { onHand: 2 }] } } } },
  ]);
});

test('a change is made once, whether it comes alone, in a batch, or in both', async () => {
  const key = randomUUID();
  const twice = change(pepper, { onHand: 4 }, { key });
  await send(ana, [twice]);
  await set(ana, listId, pepper, { onHand: 9 });
  await set(ana, listId, pepper, { onHand: 4 }, { key }); // alone, later
  expect(await statuses([twice, twice])).toEqual([200, 200]);
  expect(await counts()).toEqual([9, null]);
  expect(await statuses([change(pepper, { onHand: 5 }, { key })])).toEqual([422]);
});

test('the first rejected change ends the batch, and none after it is tried', async () => {
  await take(ana, listId, pepper);
  const { data } = await send(ana, [
    change(salt, { onHand: 1 }),
    change(pepper, { onHand: 1 }),
    change(salt, { onHand: 2 }),
  ]);
  expect(data.answers).toMatchObject([
    { status: 200 },
    { status: 404, problem: { code: 'list_item_not_found', message: 'This product was removed from the list' } },
  ]);
  expect(await counts()).toEqual([1]);
});

test('so does one that the shop cannot process now; sent again, all are made once', async () => {
  const all = [change(pepper, { onHand: 1 }), change(salt, { onHand: 2 }), change(pepper, { onHand: 3 })];
  await withoutRoomFor(salt, async () => {
    expect(await statuses(all)).toEqual([200, 507]);
    expect(await counts()).toEqual([1, null]);
  });
  await set(ana, listId, pepper, { onHand: 7 });
  expect(await statuses(all.slice(0, 2))).toEqual([200, 200]);
  expect(await counts()).toEqual([7, 2]);
});

test('after five seconds of work the rest of a batch is left for the next', async () => {
  let moment = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (moment += 3_000));
  try {
    const all = [change(pepper, { onHand: 1 }), change(salt, { onHand: 2 }), change(pepper, { onHand: 3 })];
    expect((await statuses(all)).length).toBeLessThan(3);
    expect((await counts())?.[0]).toBe(1);
  } finally {
    clock.mockRestore();
  }
});

test('each change counts toward its user’s rate limit', async () => {
  const { perUser } = rateLimits.change;
  const few = await openOwnShop();
  try {
    rateLimits.change.perUser = 10; // in a shop that has not counted yet
    const ben = await few.signIn();
    const { id: productId } = await few.stock();
    await few.call('createList', { as: ben, path: { userId: ben.userId }, body: { id: listId, name: 'Bar' } });
    const changes = Array.from({ length: 12 }, () => change(productId, { add: true, onHand: 1 }, { of: ben }));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now()); // so that the five seconds of a batch never run out
    const { data } = await few.call('sendBatch', { as: ben, body: { changes } });
    expect(data.answers.map(({ status }) => status)).toEqual([...Array<number>(8).fill(200), 429]);
  } finally {
    vi.restoreAllMocks();
    rateLimits.change.perUser = perUser;
    await few.close();
  }
});

test('a batch cannot change another user’s list', async () => {
  const ben = await shop.signIn();
  expect(await send(ben, [change(pepper, { onHand: 1 })])).toMatchObject({ data: { answers: [{ status: 404 }] } });
  expect(await shop.call('sendBatch', { body: { changes: [change(pepper, { onHand: 1 })] } })).toMatchObject({
    status: 401,
  });
  expect(await counts()).toEqual([null, null]);
});

test.each([
  '/public/cart/{userId}/clear',
  '/public/users/{userId}',
  '/public/lists/{userId}/{listId}',
  '/healthz',
  '/',
])('a batch with a change of %s is rejected before anything is done', async (template) => {
  const path = template.replace('{userId}', ana.userId).replace('{listId}', listId);
  const refused = await send(ana, [change(pepper, { onHand: 1 }), { ...change(pepper, {}), path }]);
  expect(refused).toMatchObject({ status: 400, errors: [{ field: 'changes/1/path' }] });
  expect(await counts()).toEqual([null, null]);
});

test('a batch with a change that breaks the contract is rejected before anything is done', async () => {
  const wrong = { ...change(salt, {}), body: { onHand: 'many' } };
  expect(await send(ana, [change(pepper, { onHand: 1 }), wrong])).toMatchObject({ status: 400 });
  expect(await counts()).toEqual([null, null]);
});

test.each([
  ['none', 0],
  ['more than forty', 41],
])('a batch of %s is rejected', async (_, length) => {
  const changes = Array.from({ length }, () => change(pepper, { onHand: 1 }));
  expect(await send(ana, changes)).toMatchObject({ status: 400, code: 'invalid_request' });
});

/** While `work` runs, the disk is full for changes of this product. */
async function withoutRoomFor(productId: string, work: () => Promise<void>): Promise<void> {
  await shop.pool.query(`create function refuse_room() returns trigger language plpgsql as $$
    begin raise exception 'no room' using errcode = '53100'; end $$`);
  await shop.pool.query(`create trigger refuse_room before update on list_items for each row
    when (new.product_id = '${productId}') execute function refuse_room()`);
  try {
    await work();
  } finally {
    await shop.pool.query('drop function refuse_room cascade');
  }
}
