/** Operations on users' lists. shared/lists.ts implements the same changes for devices; a test keeps both consistent. */
import { catalogMessages } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import {
  clampedCountTime,
  listLimits,
  listNameKey,
  listErrorMessages,
  type ListError,
  toTenths,
} from '../../shared/lists';
import { liveChanged } from '../db/core/changes';
import type { Connection, Tx } from '../db/core/transact';
import { conflict, notFound } from '../http/core/problems';
import * as repository from './repository';
import type { ItemChange, ListRow } from './repository';

/** @returns all lists of the user, in creation order */
export const readLists = (connection: Connection, userId: string): Promise<ListRow[]> =>
  repository.findLists(connection, userId);

/**
 * Creates a list with the device's id. An existing list with this id is unchanged.
 * @throws Problem 409 too_many_lists, list_name_taken
 * Rule: docs/rules/kitchen.md, Lists
 */
export async function createList(tx: Tx, userId: string, list: Schema<'NewList'>, now: Date): Promise<ListRow> {
  const [id, name] = [list.id.toLowerCase(), list.name.trim()];
  await repository.lockNames(tx, userId);
  const others = await repository.findNames(tx, userId);
  if (others.some((other) => other.id === id)) return requireList(tx, userId, id);
  if (others.length >= listLimits.lists) throw rejection('too_many_lists');
  requireUnusedName(others, name);
  const position = Math.max(0, ...others.map((other) => other.position)) + 1;
  const nameKey = listNameKey(name);
  await repository.insertList(tx, { userId, id, name, nameKey, position, changedAt: now });
  liveChanged(tx, userId, 'lists');
  return { id, name, changedAt: now, items: [] };
}

/**
 * @throws Problem 404 list_not_found, 409 list_name_taken
 * Rule: docs/rules/kitchen.md, Lists
 */
export async function renameList(tx: Tx, key: ListKey, newName: string, now: Date): Promise<ListRow> {
  const { userId, listId } = key;
  const name = newName.trim();
  await repository.lockNames(tx, userId);
  const others = await repository.findNames(tx, userId);
  if (!others.some(({ id }) => isSame(id, listId))) throw rejection('list_not_found');
  requireUnusedName(
    others.filter(({ id }) => !isSame(id, listId)),
    name,
  );
  const exists = await repository.changeList(tx, key, { name, nameKey: listNameKey(name), changedAt: now });
  if (!exists) throw rejection('list_not_found'); // deleted since the names were read
  liveChanged(tx, userId, 'lists');
  return requireList(tx, userId, listId);
}

/**
 * Deletes a list with its items.
 * @throws Problem 404 list_not_found
 * Rule: docs/rules/kitchen.md, Lists
 */
export async function deleteList(tx: Tx, key: ListKey): Promise<void> {
  if (!(await repository.deleteList(tx, key))) throw rejection('list_not_found');
  liveChanged(tx, key.userId, 'lists');
}

/**
 * Puts the products of a list in this order; those that it does not name follow in their old order.
 * @throws Problem 404 list_not_found
 * Rule: docs/rules/kitchen.md, Order of operations
 */
export async function orderList(tx: Tx, key: ListKey, productIds: readonly string[], now: Date): Promise<ListRow> {
  if (!(await repository.changeList(tx, key, { changedAt: now }))) throw rejection('list_not_found');
  await repository.orderItems(tx, key, productIds);
  liveChanged(tx, key.userId, 'lists');
  return requireList(tx, key.userId, key.listId);
}

/**
 * Sets the given fields of a list item. Only `add` adds a product that is not on the list.
 * @returns the whole list
 * @throws Problem 404 list_not_found, list_item_not_found, product_not_found, 409 list_full
 * Rule: docs/rules/kitchen.md, Order of operations
 */
export async function setListItem(
  tx: Tx,
  key: ItemKey,
  { add, ...fields }: Schema<'ListItemFields'>,
  now: Date,
): Promise<ListRow> {
  if (!(await repository.changeList(tx, key, { changedAt: now }))) throw rejection('list_not_found');
  const change = changeOf(fields, now);
  if (add) {
    const { isProduct, isOnList, items } = await repository.findCapacity(tx, key);
    if (!isProduct) throw notFound('product_not_found', catalogMessages.productNotFound);
    if (!isOnList && items >= listLimits.items) throw rejection('list_full');
    await repository.putItem(tx, key, change);
  } else if (!(await repository.changeItem(tx, key, change))) throw rejection('list_item_not_found');
  liveChanged(tx, key.userId, 'lists');
  return requireList(tx, key.userId, key.listId);
}

/**
 * Removes a product from a list, until a user adds it again.
 * @throws Problem 404 list_not_found, list_item_not_found
 * Rule: docs/rules/kitchen.md, Order of operations
 */
export async function removeListItem(tx: Tx, key: ItemKey, now: Date): Promise<ListRow> {
  if (!(await repository.changeList(tx, key, { changedAt: now }))) throw rejection('list_not_found');
  if (!(await repository.deleteItem(tx, key))) throw rejection('list_item_not_found');
  liveChanged(tx, key.userId, 'lists');
  return requireList(tx, key.userId, key.listId);
}

type ListKey = { userId: string; listId: string };
type ItemKey = ListKey & { productId: string };

function changeOf({ par, onHand, countedAt }: Schema<'ListItemFields'>, now: Date): ItemChange {
  const parChange = par === undefined ? {} : { par };
  if (onHand === undefined) return parChange;
  if (onHand === null) return { ...parChange, onHandTenths: null, countedAt: null };
  return { ...parChange, onHandTenths: toTenths(onHand), countedAt: clampedCountTime(countedAt, now) };
}

/** Reads the list that was just written. */
async function requireList(tx: Tx, userId: string, listId: string): Promise<ListRow> {
  const list = await repository.findList(tx, { userId, listId });
  if (!list) throw rejection('list_not_found');
  return list;
}

function requireUnusedName(others: readonly { nameKey: string }[], name: string): void {
  if (others.some(({ nameKey }) => nameKey === listNameKey(name))) throw rejection('list_name_taken');
}

/** Ids in a path may be uppercase. */
const isSame = (id: string, other: string): boolean => id === other.toLowerCase();

function rejection(code: ListError): Error {
  const message = listErrorMessages[code];
  if (code === 'list_name_taken') return conflict(code, message, [{ field: 'name', message }]);
  return code === 'list_not_found' || code === 'list_item_not_found'
    ? notFound(code, message)
    : conflict(code, message);
}
