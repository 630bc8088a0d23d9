import type { Schema } from '../../shared/contract';
import { fromTenths, listMessages } from '../../shared/lists';
import { listNameForm } from '../../shared/listsForms';
import type { ContractApi } from '../http/contract/contract';
import type { ListRow } from './repository';
import { createList, deleteList, orderList, readLists, removeListItem, renameList, setListItem } from './service';

/** The contract layer has rejected a {userId} that is not the session's, and opened `tx`. */
export function listRoutes(api: ContractApi): void {
  api.on('listLists', async ({ db, session }) => ({
    message: listMessages.listLists.success,
    data: { lists: (await readLists(db, session.userId)).map(presentList) },
  }));
  api.on(
    'createList',
    async ({ tx, session, body, now }) => answer('createList', await createList(tx, session.userId, body, now)),
    { form: listNameForm },
  );
  api.on(
    'renameList',
    async ({ tx, session, params: { listId }, body, now }) =>
      answer('renameList', await renameList(tx, { userId: session.userId, listId }, body.name, now)),
    { form: listNameForm },
  );
  api.on('deleteList', async ({ tx, session, params: { listId } }) => {
    await deleteList(tx, { userId: session.userId, listId });
    return { message: listMessages.deleteList.success, data: {} };
  });
  api.on('orderList', async ({ tx, session, params: { listId }, body, now }) =>
    answer('orderList', await orderList(tx, { userId: session.userId, listId }, body.productIds, now)),
  );
  api.on('setListItem', async ({ tx, session, params: { listId, productId }, body, now }) =>
    answer('setListItem', await setListItem(tx, { userId: session.userId, listId, productId }, body, now)),
  );
  api.on('removeListItem', async ({ tx, session, params: { listId, productId }, now }) =>
    answer('removeListItem', await removeListItem(tx, { userId: session.userId, listId, productId }, now)),
  );
}

type Messages = 'createList' | 'renameList' | 'orderList' | 'setListItem' | 'removeListItem';
const answer = (id: Messages, list: ListRow): Schema<'ListAnswer'> => ({
  message: listMessages[id].success,
  data: { list: presentList(list) },
});

const presentList = ({ id, name, changedAt, items }: ListRow): Schema<'ProductList'> => ({
  id,
  name,
  changedAt: changedAt.toISOString(),
  items: items.map(({ productId, par, onHandTenths, countedAt }) => ({
    productId,
    par,
    onHand: onHandTenths === null ? null : fromTenths(onHandTenths),
    countedAt: countedAt?.toISOString() ?? null,
  })),
});
