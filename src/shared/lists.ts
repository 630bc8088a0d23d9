/**
 * A user's lists of products and the effect of each change, as one pure function. The device uses it to show unsent
 * changes; tests use it to check the server. Rule: docs/rules/kitchen.md, Lists
 */
import type { Schema } from './contract';

export type ProductList = Schema<'ProductList'>;
export type ListItem = Schema<'ListItem'>;
export type ListItemFields = Schema<'ListItemFields'>;

/** Rule: docs/rules/kitchen.md, Limits */
export const listLimits = { lists: 20, items: 200, name: 60, par: 999, onHand: 999 } as const;

/**
 * The input of each list operation, as the outbox stores and sends it (web/lists/operations.ts). `listName` and
 * `productName` are for messages, and for restoring a list, after the list is gone.
 */
export interface ListChanges {
  createList: { userId: string; list: Schema<'NewList'> };
  renameList: { userId: string; listId: string; name: string; listName?: string };
  deleteList: { userId: string; listId: string; listName?: string };
  orderList: { userId: string; listId: string; productIds: readonly string[]; listName?: string };
  setListItem: ItemOfList & { fields: ListItemFields };
  removeListItem: ItemOfList;
}

interface ItemOfList {
  userId: string;
  listId: string;
  productId: string;
  listName?: string;
  productName?: string;
}

/** One change: `{ operation: 'deleteList', input: { userId, listId } }`. */
export type ListChange = {
  [Name in keyof ListChanges]: { operation: Name; input: ListChanges[Name] };
}[keyof ListChanges];

/** Why a change of lists is rejected, apart from an unknown product. */
export type ListError = 'list_not_found' | 'list_item_not_found' | 'too_many_lists' | 'list_full' | 'list_name_taken';

/** The lists after a change, or the reason why it was rejected. */
export type Applied = { lists: readonly ProductList[]; rejection?: undefined } | { rejection: ListError };

type Apply = {
  readonly [Name in keyof ListChanges]: (
    lists: readonly ProductList[],
    input: ListChanges[Name],
    at: string,
  ) => Applied;
};

const apply: Apply = { createList, renameList, deleteList, orderList, setListItem, removeListItem };

export function isListChange<Any extends { operation: string }>(change: Any): change is Any & ListChange {
  return Object.hasOwn(apply, change.operation);
}

/**
 * @param at arrival time, ISO 8601: becomes the list's `changedAt`, and the time of a count that has none
 * Rule: docs/rules/kitchen.md, Order of operations
 */
export function applied(lists: readonly ProductList[], { operation, input }: ListChange, at: string): Applied {
  const applyOne = apply[operation] as (
    lists: readonly ProductList[],
    input: ListChange['input'],
    at: string,
  ) => Applied;
  return applyOne(lists, input, at);
}

/** @returns the lists as the server will have them after the change; unchanged if the server will reject it */
export function withListChange(lists: readonly ProductList[], change: ListChange, at: string): readonly ProductList[] {
  const after = applied(lists, change, at);
  return after.rejection ? lists : after.lists;
}

function createList(lists: readonly ProductList[], { list }: ListChanges['createList'], at: string): Applied {
  if (lists.some(({ id }) => id === list.id)) return { lists };
  if (lists.length >= listLimits.lists) return { rejection: 'too_many_lists' };
  if (isTaken(lists, list.name)) return { rejection: 'list_name_taken' };
  return { lists: [...lists, { id: list.id, name: list.name.trim(), changedAt: at, items: [] }] };
}

function renameList(lists: readonly ProductList[], { listId, name }: ListChanges['renameList'], at: string): Applied {
  const others = lists.filter(({ id }) => id !== listId);
  return withList(lists, listId, at, (list) =>
    isTaken(others, name) ? 'list_name_taken' : { ...list, name: name.trim() },
  );
}

function deleteList(lists: readonly ProductList[], { listId }: ListChanges['deleteList']): Applied {
  if (!lists.some(({ id }) => id === listId)) return { rejection: 'list_not_found' };
  return { lists: lists.filter(({ id }) => id !== listId) };
}

function orderList(
  lists: readonly ProductList[],
  { listId, productIds }: ListChanges['orderList'],
  at: string,
): Applied {
  return withList(lists, listId, at, (list) => ({ ...list, items: inOrder(list.items, productIds) }));
}

/** @returns the items in this order of products; those that it does not name follow in their old order */
export function inOrder<Item extends Pick<ListItem, 'productId'>>(
  items: readonly Item[],
  productIds: readonly string[],
): Item[] {
  const places = new Map(productIds.map((id, place) => [id, place]));
  const placeOf = ({ productId }: Item) => places.get(productId) ?? productIds.length;
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function setListItem(
  lists: readonly ProductList[],
  { listId, productId, fields }: ListChanges['setListItem'],
  at: string,
): Applied {
  return withList(lists, listId, at, (list) => {
    if (list.items.some((item) => item.productId === productId)) {
      const items = list.items.map((item) => (item.productId === productId ? withFields(item, fields, at) : item));
      return { ...list, items };
    }
    if (!fields.add) return 'list_item_not_found';
    if (list.items.length >= listLimits.items) return 'list_full';
    return { ...list, items: [...list.items, withFields(newItem(productId), fields, at)] };
  });
}

function removeListItem(
  lists: readonly ProductList[],
  { listId, productId }: ListChanges['removeListItem'],
  at: string,
): Applied {
  return withList(lists, listId, at, (list) => {
    const items = list.items.filter((item) => item.productId !== productId);
    return items.length < list.items.length ? { ...list, items } : 'list_item_not_found';
  });
}

function withList(
  lists: readonly ProductList[],
  listId: string,
  at: string,
  change: (list: ProductList) => ProductList | ListError,
): Applied {
  const list = lists.find(({ id }) => id === listId);
  if (!list) return { rejection: 'list_not_found' };
  const changed = change(list);
  if (typeof changed === 'string') return { rejection: changed };
  return { lists: lists.map((each) => (each === list ? { ...changed, changedAt: at } : each)) };
}

const newItem = (productId: string): ListItem => ({ productId, par: null, onHand: null, countedAt: null });

/** Fields that are not sent stay unchanged; the time of a count is set together with the count. */
function withFields(item: ListItem, fields: ListItemFields, at: string): ListItem {
  const { par = item.par, onHand, countedAt = at } = fields;
  if (onHand === undefined) return { ...item, par };
  if (onHand === null) return { ...item, par, onHand, countedAt: null };
  return { ...item, par, onHand: fromTenths(toTenths(onHand)), countedAt };
}

/** @returns the form of a name that must be unique per user: ignores case, width and surrounding spaces */
export const listNameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase();

const isTaken = (lists: readonly ProductList[], name: string): boolean =>
  lists.some((list) => listNameKey(list.name) === listNameKey(name));

/** A count has at most one decimal, so all calculations use whole tenths. */
export const toTenths = (onHand: number): number => Math.round(Number((onHand * 10).toPrecision(15)));
export const fromTenths = (tenths: number): number => tenths / 10;

/** @returns the time of a count as it is kept: the device's, but none after the server's, and the server's where none came */
export function clampedCountTime(countedAt: string | undefined, now: Date): Date {
  return countedAt === undefined ? now : new Date(Math.min(Date.parse(countedAt), now.getTime()));
}

/** Messages about lists. Rule: docs/rules/kitchen.md, Messages */
export const listMessages = {
  listLists: { success: 'Lists', failure: "Couldn't load your lists" },
  createList: { success: 'List created', failure: "Couldn't create the list. Try again." },
  renameList: { success: 'List renamed', failure: "Couldn't rename the list. Try again." },
  deleteList: { success: 'List deleted', failure: "Couldn't delete the list. Try again." },
  orderList: { success: 'Shelf order saved', failure: "Couldn't save the shelf order. Try again." },
  setListItem: { success: 'List updated', failure: "Couldn't update the list. Try again." },
  removeListItem: { success: 'Removed from the list', failure: "Couldn't remove it from the list. Try again." },
  putBack: 'Put back',
  addedTo: (list: string) => `Added to ${list}`,
  savedCart: (list: string) => `Cart saved as ${list}`,
} as const;

export const listErrorMessages: Readonly<Record<ListError, string>> = {
  list_not_found: 'This list was deleted',
  list_item_not_found: 'This product was removed from the list',
  too_many_lists: `You can have up to ${listLimits.lists} lists`,
  list_full: `A list can have up to ${listLimits.items} products`,
  list_name_taken: 'You already have a list with this name',
};
