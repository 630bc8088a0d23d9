/** Many waiting counts are sent as one call, each with its own key and its own outcome. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '../../../src/web/device/db';
import { setListItem } from '../../../src/web/lists/core/changeLists';
import { outbox } from '../../../src/web/outbox/outbox';
import { newCustomer } from '../../support/auth';
import { listsOf } from '../../support/lists';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { openTab, see, type Tab, until } from '../openTab';
import { bringBack, sentOut } from './cartChanges';

let shop: TestShop;
let tab: Tab;
let ana: Person;
let listId: string;
let products: { id: string; name: string }[];
const names = ['Basil', 'Cumin', 'Dill', 'Mace', 'Salt'];
beforeAll(async () => (shop = await openShop()));
beforeEach(async () => {
  await db.outbox.clear();
  const { user, jwt, ...login } = await newCustomer(shop);
  ana = { userId: user.id, cartId: '', email: user.email, role: 'ROLE_CUSTOMER', token: jwt };
  listId = randomUUID();
  products = await Promise.all(names.map(async (name) => ({ name, id: (await shop.stock({ name })).id })));
  await create(ana, listId);
  for (const { id } of products) await set(ana, listId, id, { add: true, par: 6 });
  tab = openTab(shop, `/customer/lists/${listId}`, { as: { user, jwt, ...login } });
  await see('Salt');
  tab.network.isDown = true;
});
afterEach(() => tab.close());
afterAll(() => shop.close());

const { create, set, take, lists } = listsOf(() => shop);
const counts = async () => (await lists(ana))[0]?.items.map(({ onHand }) => onHand);
const count = (place: number, onHand: number) =>
  setListItem(ana.userId, { list: { id: listId, name: 'Dry store' }, product: products[place]! }, { onHand });
const countAll = async () => {
  for (const place of names.keys()) await count(place, place + 1);
};
const calls = () =>
  tab.calls
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/public/'))
    .map(({ method, path }) => `${method} ${path}`);
const itemOf = (place: number) => `PUT /public/lists/${ana.userId}/${listId}/items/${products[place]?.id}`;

test('many counts are sent as one call, and are done once, even if its response was lost', async () => {
  await countAll();
  tab.network.passes = ({ url }) => {
    if (url.endsWith('/public/batch')) tab.network.isDown = true; // just when it was done
    return !tab.network.isDown;
  };
  bringBack(tab);
  await until(() => tab.network.isDown && tab.isAnswered());
  tab.network.passes = () => true;
  expect((await db.outbox.toArray()).map(({ wasSent }) => wasSent)).toEqual(names.map(() => true));
  await count(4, 9); // is not merged with what may have been done
  expect(await db.outbox.count()).toBe(6);
  bringBack(tab);
  await sentOut(ana);
  expect(await counts()).toEqual([1, 2, 3, 4, 9]);
  expect(calls()).toEqual(['POST /public/batch']); // besides the one whose response was lost
  await outbox.flush();
  expect(await db.outbox.count()).toBe(0);
});

test('a rejected one stays with its reason, and the others are done', async () => {
  await countAll();
  await take(ana, listId, products[2]!.id);
  bringBack(tab);
  await sentOut(ana);
  expect(outbox.refused(ana.userId)).toMatchObject([{ reason: { code: 'list_item_not_found' } }]);
  expect(await counts()).toEqual([1, 2, 4, 5]);
});

test('a batch rejected as a whole is sent one by one', async () => {
  await countAll();
  const problem = { status: 400, code: 'invalid_request', message: 'Invalid request' };
  const headers = { 'content-type': 'application/problem+json' };
  tab.network.answers = (pathname) =>
    pathname === '/api/public/batch' ? new Response(JSON.stringify(problem), { status: 400, headers }) : undefined;
  bringBack(tab);
  await sentOut(ana);
  expect(calls()).toEqual([...names.keys()].map(itemOf));
  expect(await counts()).toEqual([1, 2, 3, 4, 5]);
});

test('a token that expires midway is renewed, and no end of session is reported', async () => {
  await countAll();
  const expired = { status: 401, code: 'unauthenticated', message: 'Log in to continue' };
  const headers = { 'content-type': 'application/json' };
  let batches = 0;
  tab.network.answers = (pathname) => {
    if (pathname !== '/api/public/batch' || (batches += 1) > 1) return undefined;
    const data = { answers: [{ status: 401, problem: expired }] };
    return new Response(JSON.stringify({ message: '', data }), { headers });
  };
  const making = count(0, 8);
  bringBack(tab);
  await expect(making).resolves.toBeDefined(); // the reason why it is still stored depends on timing
  await sentOut(ana);
  expect(await counts()).toEqual([8, 2, 3, 4, 5]);
});
