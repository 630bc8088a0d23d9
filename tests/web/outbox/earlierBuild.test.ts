/**
 * Changes that an earlier build left on a device are sent. The entries are written as in version 1.0.0; never change
 * one. A new operation gets its own. Rule: docs/rules/offline.md, Adding an operation
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { lineId } from '../../../src/shared/cart';
import { operations } from '../../../src/web/app/operations';
import { db } from '../../../src/web/device/db';
import type { OperationName } from '../../../src/web/outbox/operation';
import { outbox } from '../../../src/web/outbox/outbox';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { openTab, type Tab, until } from '../openTab';
import { bringBack, cartsOf, sentOut } from './cartChanges';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

type Left = { operation: OperationName; input: object; call: string };

/** @returns the waiting changes, in their order, each with the call that it becomes */
async function leftBy({ userId }: Person): Promise<Left[]> {
  const [pepper, salt, mace] = await Promise.all([1, 2, 3].map(() => shop.stock({ quantity: 20 })));
  const ids = [pepper, salt, mace].map((product) => product?.id ?? '');
  const [pepperId = '', saltId = '', maceId = ''] = ids;
  const [listId, otherId] = [crypto.randomUUID(), crypto.randomUUID()];
  const item = (productId: string, quantity: number) => ({ productId, name: 'Spice', price: 4.5, quantity, image: '' });
  const message = { fullName: 'Awa Cook', email: 'awa@example.com', phone: '+1 404 555 0100', reason: 'Cumin?' };
  const add = `POST /public/cart/add/${userId}`;
  const lists = `/public/lists/${userId}`;
  const named = { listName: 'Dry store', productName: 'Spice' };
  const inList = { userId, listId, ...named };
  return [
    { operation: 'addCartItem', input: { userId, item: item(maceId, 1) }, call: add },
    { operation: 'clearCart', input: { userId }, call: `PUT /public/cart/${userId}/clear` },
    { operation: 'addCartItem', input: { userId, item: item(pepperId, 2) }, call: add },
    { operation: 'addCartItem', input: { userId, item: item(saltId, 1) }, call: add },
    {
      operation: 'updateCartItem',
      input: { userId, update: { productId: pepperId, change: 3 }, name: 'Spice' },
      call: 'PUT /public/cart/item/update',
    },
    {
      operation: 'removeCartItem',
      input: { userId, cartItemId: lineId(userId, saltId) },
      call: `DELETE /public/cart/item/${userId}/remove/${lineId(userId, saltId)}`,
    },
    { operation: 'createList', input: { userId, list: { id: listId, name: 'Dry store' } }, call: `POST ${lists}` },
    { operation: 'createList', input: { userId, list: { id: otherId, name: 'Bar' } }, call: `POST ${lists}` },
    { operation: 'renameList', input: { userId, listId, name: 'Cellar' }, call: `PUT ${lists}/${listId}` },
    { operation: 'deleteList', input: { userId, listId: otherId }, call: `DELETE ${lists}/${otherId}` },
    {
      operation: 'setListItem',
      input: { ...inList, productId: maceId, fields: { add: true, par: 6 } },
      call: `PUT ${lists}/${listId}/items/${maceId}`,
    },
    {
      operation: 'setListItem',
      input: {
        ...inList,
        productId: pepperId,
        fields: { add: true, onHand: 2.5, countedAt: '2026-03-01T09:00:00.000Z' },
      },
      call: `PUT ${lists}/${listId}/items/${pepperId}`,
    },
    {
      operation: 'removeListItem',
      input: { ...inList, productId: maceId },
      call: `DELETE ${lists}/${listId}/items/${maceId}`,
    },
    {
      operation: 'orderList',
      input: { userId, listId, listName: 'Dry store', productIds: [maceId, pepperId] },
      call: `PUT ${lists}/${listId}/order`,
    },
    { operation: 'createContactMessage', input: { userId, message }, call: 'POST /public/contact/create' },
  ];
}

test('changes that an earlier build left are sent in their order, each once', async () => {
  const ana = await shop.signIn();
  const left = await leftBy(ana);
  await db.outbox.clear();
  await db.outbox.bulkAdd(
    left.map(({ operation, input }, place) => ({
      operation,
      input,
      key: crypto.randomUUID(),
      userId: ana.userId,
      state: 'waiting' as const,
      wasSent: false,
      madeAt: 1_795_378_751_936 + place,
    })),
  );
  tab = openTab(shop, '/contact', { as: ana });
  tab.network.isDown = true;
  await until(() => outbox.waiting(ana.userId).length === left.length);
  bringBack(tab);
  await sentOut(ana);
  const changes = tab.calls.filter(({ method, path }) => method !== 'GET' && path.startsWith('/public/'));
  expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual(left.map(({ call }) => call));
  expect(outbox.refused(ana.userId)).toEqual([]);
  expect(Object.values(await cartsOf(() => shop).unitsOf(ana))).toEqual([5]);
  const { data } = await shop.call('listLists', { as: ana, path: { userId: ana.userId } });
  expect(data.lists).toMatchObject([{ name: 'Cellar', items: [{ onHand: 2.5, par: null }] }]);
});

test('each operation that a device can store is among them', async () => {
  tab = openTab(shop, '/contact');
  const left = await leftBy(await shop.signIn());
  expect(new Set(left.map(({ operation }) => operation))).toEqual(new Set(Object.keys(operations)));
});
