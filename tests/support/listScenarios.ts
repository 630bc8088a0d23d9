/** One success and every error of lists, for the contract test. */
import { randomUUID } from 'node:crypto';
import { listLimits } from '../../src/shared/lists';
import type { Scenarios } from './accountScenarios';
import { fillList, listsOf } from './lists';
import type { Person, TestShop } from './shop';

export function listScenarios(shop: () => TestShop): Scenarios {
  const { create, rename, remove, order, set, take, read } = listsOf(shop);
  const some = () => shop().signIn();
  /** A customer with one list and one product on it. */
  async function withList() {
    const person = await some();
    const [listId, { id: productId }] = [randomUUID(), await shop().stock()];
    await create(person, listId);
    await set(person, listId, productId, { add: true, par: 6 });
    return { person, listId, productId };
  }
  const withOther = async <Answer>(act: (person: Person, listId: string) => Promise<Answer>) => {
    const { person, listId } = await withList();
    await create(person, randomUUID(), 'Spice rack');
    return act(person, listId);
  };

  return {
    listLists: { success: async () => read((await withList()).person) },
    createList: {
      success: async () => create(await some(), randomUUID()),
      too_many_lists: async () => {
        const person = await some();
        for (let made = 0; made < listLimits.lists; made += 1) await create(person, randomUUID(), `List ${made}`);
        return create(person, randomUUID(), 'Add one');
      },
      list_name_taken: async () => withOther((person) => create(person, randomUUID(), 'spice RACK')),
    },
    renameList: {
      success: async () => (({ person, listId }) => rename(person, listId, 'Cold store'))(await withList()),
      list_not_found: async () => rename(await some(), randomUUID(), 'Cold store'),
      list_name_taken: async () => withOther((person, listId) => rename(person, listId, 'SPICE RACK')),
    },
    deleteList: {
      success: async () => (({ person, listId }) => remove(person, listId))(await withList()),
      list_not_found: async () => remove(await some(), randomUUID()),
    },
    orderList: {
      success: async () => (({ person, listId, productId }) => order(person, listId, [productId]))(await withList()),
      list_not_found: async () => order(await some(), randomUUID(), []),
    },
    setListItem: {
      success: async () => {
        const { person, listId } = await withList();
        return set(person, listId, (await shop().stock()).id, { add: true, par: 2, onHand: 0.5 });
      },
      list_not_found: async () => set(await some(), randomUUID(), (await shop().stock()).id, { par: 1 }),
      list_item_not_found: async () => {
        const { person, listId } = await withList();
        return set(person, listId, (await shop().stock()).id, { onHand: 1 });
      },
      product_not_found: async () => {
        const { person, listId } = await withList();
        return set(person, listId, randomUUID(), { add: true });
      },
      list_full: async () => {
        const { person, listId, productId } = await withList();
        await fillList(shop(), person, listId, listLimits.items - 1);
        await set(person, listId, productId, { add: true, par: 1 }); // existing items already have their place
        return set(person, listId, (await shop().stock()).id, { add: true });
      },
    },
    sendBatch: {
      success: async () => {
        const { person, listId, productId } = await withList();
        const path = `/public/lists/${person.userId}/${listId}/items/${productId}`;
        const change = { key: randomUUID(), method: 'PUT', path, body: { onHand: 1 } };
        return shop().call('sendBatch', { as: person, body: { changes: [change] } });
      },
    },
    removeListItem: {
      success: async () => (({ person, listId, productId }) => take(person, listId, productId))(await withList()),
      list_not_found: async () => take(await some(), randomUUID(), randomUUID()),
      list_item_not_found: async () => (({ person, listId }) => take(person, listId, randomUUID()))(await withList()),
    },
  };
}
