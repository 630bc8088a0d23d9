import type { QueryClient } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { type ListChanges, type ListItemFields, listMessages, type ProductList } from '../../../shared/lists';
import type { Answer, Definitions } from '../../outbox/operation';
import { answer, api } from '../../server/client';
import type { ApiError } from '../../server/errors';
import { listsKey } from './listsKey';

declare module '../../outbox/operation' {
  interface Inputs extends ListChanges {}
}

/** The lists' outbox operations. Their effect until they are sent: `withListChange` in shared/lists.ts. */
export const listOperations: Definitions<keyof ListChanges> = {
  createList: {
    messages: listMessages.createList,
    send: ({ userId, list }, { header, signal }) =>
      answer(api.POST('/public/lists/{userId}', { params: { path: { userId }, header }, body: list, signal })),
    saveAnswer: cacheList,
    isAbout: ({ list }, id) => list.id === id,
  },

  renameList: {
    messages: listMessages.renameList,
    send({ userId, listId, name }, { header, signal }) {
      const params = { path: { userId, listId }, header };
      return answer(api.PUT('/public/lists/{userId}/{listId}', { params, body: { name }, signal }));
    },
    saveAnswer: cacheList,
    asOne: (earlier, later) => (earlier.listId === later.listId ? later : undefined),
    isAbout: ({ listId }, id) => listId === id,
  },

  deleteList: {
    messages: listMessages.deleteList,
    send({ userId, listId }, { header, signal }) {
      const params = { path: { userId, listId }, header };
      return answer(api.DELETE('/public/lists/{userId}/{listId}', { params, signal }));
    },
    saveAnswer: (cache, { userId, listId }, { isOld }) =>
      updateCache(cache, userId, isOld, (lists) => lists.filter(({ id }) => id !== listId)),
    isAbout: ({ listId }, id) => listId === id,
    isDone: isGone,
  },

  orderList: {
    messages: listMessages.orderList,
    send({ userId, listId, productIds }, { header, signal }) {
      const params = { path: { userId, listId }, header };
      const body = { productIds: [...productIds] };
      return answer(api.PUT('/public/lists/{userId}/{listId}/order', { params, body, signal }));
    },
    saveAnswer: cacheList,
    asOne: (earlier, later) =>
      earlier.listId === later.listId
        ? { ...later, productIds: [...new Set([...later.productIds, ...earlier.productIds])] }
        : undefined,
    isAbout: ({ listId }, id) => listId === id,
    isDone: isGone,
  },

  setListItem: {
    messages: listMessages.setListItem,
    send({ userId, listId, productId, fields }, { header, ...sending }) {
      const params = { path: { userId, listId, productId }, header };
      return answer(api.PUT('/public/lists/{userId}/{listId}/items/{productId}', { params, body: fields, ...sending }));
    },
    isBatched: true,
    saveAnswer: cacheList,
    asOne: mergeSettings,
    isAbout: ({ listId }, id) => listId === id,
  },

  removeListItem: {
    messages: listMessages.removeListItem,
    send({ userId, listId, productId }, { header, signal }) {
      const params = { path: { userId, listId, productId }, header };
      return answer(api.DELETE('/public/lists/{userId}/{listId}/items/{productId}', { params, signal }));
    },
    saveAnswer: cacheList,
    isAbout: ({ listId }, id) => listId === id,
    isDone: isGone,
  },
};

/** If another device has already deleted it, the goal is reached. */
function isGone({ code }: ApiError): boolean {
  return code === 'list_not_found' || code === 'list_item_not_found';
}

/**
 * Merges quick corrections of a count into one call. An `add` after a setting without one stays separate: only the
 * `add` puts back a product that another device removed, and only with its own fields.
 */
function mergeSettings(earlier: ListChanges['setListItem'], later: ListChanges['setListItem']) {
  if (earlier.listId !== later.listId || earlier.productId !== later.productId) return undefined;
  if (later.fields.add && !earlier.fields.add) return undefined;
  return { ...later, fields: withFields(earlier.fields, later.fields) };
}

function withFields({ countedAt, ...earlier }: ListItemFields, later: ListItemFields): ListItemFields {
  // a count keeps its own time
  const time = later.onHand === undefined && countedAt !== undefined ? { countedAt } : {};
  return { ...earlier, ...time, ...later };
}

type ListAnswer = Answer<{ list: Schema<'ProductList'> }>;

function cacheList(cache: QueryClient, { userId }: { userId: string }, { data, isOld }: ListAnswer): void {
  const list = data?.list;
  updateCache(cache, userId, isOld || !list, (lists) => {
    if (!list) return lists;
    const isCached = lists.some(({ id }) => id === list.id);
    return isCached ? lists.map((each) => (each.id === list.id ? list : each)) : [...lists, list];
  });
}

function updateCache(
  cache: QueryClient,
  userId: string,
  isStale: boolean,
  next: (lists: readonly ProductList[]) => readonly ProductList[],
): void {
  const queryKey = listsKey(userId);
  const wasReading = cache.isFetching({ queryKey }) > 0;
  void cache.cancelQueries({ queryKey }); // a read that began before this answer would return older lists
  cache.setQueryData<readonly ProductList[]>(queryKey, (lists) => lists && next(lists));
  if (isStale || wasReading) void cache.invalidateQueries({ queryKey });
}
