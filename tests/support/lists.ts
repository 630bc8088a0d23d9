/** A user's lists, as calls to the shop. */
import type { Schema } from '../../src/shared/contract';
import type { CallOptions } from './caller';
import type { Person, TestShop } from './shop';

type Options = Pick<CallOptions<'listLists'>, 'key'>;

/** @param shop is read at each call: a test file opens it later */
export function listsOf(shop: () => Pick<TestShop, 'call'>) {
  const at = ({ userId }: Person, listId: string) => ({ userId, listId });
  const read = (as: Person) => shop().call('listLists', { as, path: { userId: as.userId } });
  return {
    read,
    /** All lists of a user. */
    lists: async (as: Person) => (await read(as)).data.lists,
    create: (as: Person, id: string, name = 'Dry store', options: Options = {}) =>
      shop().call('createList', { as, path: { userId: as.userId }, body: { id, name }, ...options }),
    rename: (as: Person, listId: string, name: string) =>
      shop().call('renameList', { as, path: at(as, listId), body: { name } }),
    remove: (as: Person, listId: string) => shop().call('deleteList', { as, path: at(as, listId) }),
    order: (as: Person, listId: string, productIds: string[]) =>
      shop().call('orderList', { as, path: at(as, listId), body: { productIds } }),
    set: (
      as: Person,
      listId: string,
      productId: string,
      body: Schema<'ListItemFields'> | object,
      options: Options = {},
    ) => shop().call('setListItem', { as, path: { ...at(as, listId), productId }, body, ...options }),
    /** Removes a product from a list. */
    take: (as: Person, listId: string, productId: string) =>
      shop().call('removeListItem', { as, path: { ...at(as, listId), productId } }),
  };
}

/** Puts `items` new products on a list without a call for each. */
export async function fillList(shop: TestShop, { userId }: Person, listId: string, items: number): Promise<void> {
  const { id: categoryId } = await shop.category();
  await shop.pool.query(
    `with made as (
       insert into products (id, category_id, name, description, price_cents, availability, quantity, created_at)
       select gen_random_uuid(), $1, 'Spice ' || n, '', 450, true, 0, $2 from generate_series(1, $3) as n returning id)
     insert into list_items (user_id, list_id, product_id, position)
     select $4, $5, id, 1000 + row_number() over () from made`,
    [categoryId, shop.clock.now(), items, userId, listId],
  );
}
