/** What the devices of the outbox's property tests change: a cart, or lists. */
import type { QueryKey } from '@tanstack/react-query';
import { isCartChange, withChange } from '../../../src/shared/cart';
import type { Schema } from '../../../src/shared/contract';
import { isListChange, type ProductList, withListChange } from '../../../src/shared/lists';
import { cartKey } from '../../../src/web/cart/cartKey';
import { listsKey } from '../../../src/web/lists/core/listsKey';
import type { Entry } from '../../../src/web/outbox/entry';
import { listsOf } from '../../support/lists';
import type { Person, TestShop } from '../../support/shop';
import type { World } from './network';

export type Called = { status: number; code: TestAnswer['code']; message: string; data: unknown };
type TestAnswer = Awaited<ReturnType<TestShop['call']>>;

export interface Subject {
  queryKey: (userId: string) => QueryKey;
  /** What the server has. */
  read: (world: Pick<World, 'shop' | 'person'>) => Promise<unknown>;
  /** What the page shows of it, with the waiting changes. */
  shown: (read: unknown, waiting: readonly Entry[]) => unknown;
  call: (shop: World['shop'], as: Person, entry: Entry) => Promise<Called>;
  /**
   * Whether the same request may arrive after others. A missing thing is rejected, and a rejection stores no key: so a
   * request that may be rejected now and succeed later must not.
   */
  mayComeLate: (entry: Entry) => boolean;
}

export const cartSubject: Subject = {
  queryKey: cartKey,
  read: async ({ shop, person: as }) =>
    (await shop.call('getCart', { as, path: { userId: as.userId } })).data.cartResponse,
  shown: (cart, waiting) => waiting.filter(isCartChange).reduce(withChange, cart as Schema<'Cart'>),
  mayComeLate: ({ operation }) => operation !== 'removeCartItem',
  async call(shop, as, entry) {
    if (!isCartChange(entry)) throw new Error(`${entry.operation} is no change of the cart`);
    const { key, userId } = entry;
    const path = { userId };
    switch (entry.operation) {
      case 'addCartItem':
        return shop.call(entry.operation, { as, key, path, body: entry.input.item });
      case 'updateCartItem':
        return shop.call(entry.operation, { as, key, body: entry.input.update });
      case 'removeCartItem':
        return shop.call(entry.operation, { as, key, path: { ...path, cartItemId: entry.input.cartItemId } });
      default:
        entry.operation satisfies 'clearCart';
        return shop.call(entry.operation, { as, key, path });
    }
  },
};

const isListEntry = isListChange<Entry>;

export const listsSubject: Subject = {
  queryKey: listsKey,
  read: ({ shop, person }) => listsOf(() => shop).lists(person),
  shown: (lists, waiting) =>
    waiting
      .filter(isListEntry)
      .reduce((shown, each) => withListChange(shown, each, ''), lists as readonly ProductList[]),
  mayComeLate: (entry) =>
    isListChange(entry) &&
    (entry.operation !== 'setListItem' || entry.input.fields.add === true) &&
    entry.operation !== 'removeListItem',
  async call(shop, as, entry) {
    if (!isListChange(entry)) throw new Error(`${entry.operation} is no change of lists`);
    const { key, userId, input } = entry;
    const path = { userId, listId: 'listId' in input ? input.listId : '' };
    switch (entry.operation) {
      case 'createList':
        return shop.call(entry.operation, { as, key, path: { userId }, body: entry.input.list });
      case 'renameList':
        return shop.call(entry.operation, { as, key, path, body: { name: entry.input.name } });
      case 'deleteList':
        return shop.call(entry.operation, { as, key, path });
      case 'orderList':
        return shop.call(entry.operation, { as, key, path, body: { productIds: [...entry.input.productIds] } });
      case 'setListItem': {
        const { productId, fields } = entry.input;
        return shop.call(entry.operation, { as, key, path: { ...path, productId }, body: fields });
      }
      default:
        entry.operation satisfies 'removeListItem';
        return shop.call(entry.operation, { as, key, path: { ...path, productId: entry.input.productId } });
    }
  },
};
