import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  isListChange,
  type ListChange,
  type ListItemFields,
  listMessages,
  type ProductList,
  withListChange,
} from '../../../shared/lists';
import type { Inputs } from '../../outbox/operation';
import { outbox, useRefused, useWaiting } from '../../outbox/outbox';
import type { Entry } from '../../outbox/entry';
import { toast } from '../../ui/toast';
import { addToList, type Listed, type ListedProduct, saveCartAsList } from './changeLists';
import { listsQuery } from './listsQuery';
import { type RefusedListChange, refusedChange } from './rejectedChanges';

/** @returns the server's lists with the unsent changes applied; undefined while loading */
export function useLists(userId: string): readonly ProductList[] | undefined {
  const { data: lists } = useQuery(listsQuery(userId));
  const waiting = useWaiting(userId).filter(isListEntry);
  return lists && waiting.reduce(withEntry, lists);
}

/** @returns one of the user's lists, null if there is none with this id, undefined while loading */
export function useList(userId: string, listId: string): ProductList | null | undefined {
  const lists = useLists(userId);
  return lists && (lists.find(({ id }) => id === listId) ?? null);
}

const isListEntry = (entry: Entry): entry is Entry & ListChange => isListChange(entry);

const withEntry = (lists: readonly ProductList[], entry: Entry & ListChange) =>
  withListChange(lists, entry, new Date(entry.madeAt).toISOString());

/** @returns the rejected changes of one list or of all, oldest first; each offers 'Put back' and 'Discard' */
export function useRefusedListChanges(userId: string, listId?: string): readonly RefusedListChange[] {
  const refused = useRefused(userId).filter(isListEntry).map(refusedChange);
  return listId === undefined ? refused : refused.filter((each) => each.listId === listId);
}

/** @returns the fields of a rejected item change, to show in place of the item's; undefined if it has none */
export const refusedFields = ({ change }: RefusedListChange): ListItemFields | undefined =>
  change.operation === 'setListItem' ? change.input.fields : undefined;

/** Discards a rejected change. */
export const discardRefused = ({ key }: RefusedListChange): Promise<void> => outbox.discard(key);

/** @returns the products of a list with unsent changes */
export function useUnsentItems(userId: string, listId: string): ReadonlySet<string> {
  const waiting = useWaiting(userId).filter(isListEntry);
  const products = waiting.flatMap(({ input }) =>
    'productId' in input && input.listId === listId ? [input.productId] : [],
  );
  return new Set(products);
}

/** A list change whose result is what the page shows, so that only a failure has a message. */
export function useListChange<Name extends 'createList' | 'renameList'>(operation: Name) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Inputs[Name]) => outbox.send(operation, input),
    networkMode: 'always', // the outbox decides when to wait
    // a rejection often means that the shown lists were outdated
    onError: (_error, { userId }) => cache.invalidateQueries(listsQuery(userId)),
    meta: { failure: listMessages[operation].failure },
  });
}

/** Creates a list. @returns its id immediately, so that the page can open it even offline */
export function useCreateList(userId: string) {
  const { mutate } = useListChange('createList');
  return (name: string): string => {
    const id = crypto.randomUUID();
    mutate({ userId, list: { id, name } });
    return id;
  };
}

/** 'Add to list': adds a product to a list and shows a toast. */
export function useAddToList(userId: string) {
  return useMutation({
    mutationFn: ({ par, ...listed }: ListedProduct & { par?: number }) => addToList(userId, listed, par),
    onSuccess: ({ queued }, { list }) => queued || toast.success(listMessages.addedTo(list.name)),
    meta: { failure: listMessages.setListItem.failure },
  });
}

/** 'Save cart as list': each product with its quantity as par. The mutation's result has the list's id, as `listId`. */
export function useSaveCartAsList(userId: string) {
  return useMutation({
    mutationFn: ({ name, cart }: { name: string; cart: Listed }) => saveCartAsList(userId, name, cart),
    onSuccess: ({ queued }, { name }) => queued || toast.success(listMessages.savedCart(name)),
    meta: { failure: listMessages.createList.failure },
  });
}
