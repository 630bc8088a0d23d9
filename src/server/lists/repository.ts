import { and, asc, eq, sql } from 'drizzle-orm';
import { listItems, lists, products, users } from '../db/schema/tables';
import { type Connection, prepared, type Tx } from '../db/core/transact';

export type ItemRow = {
  productId: string;
  par: number | null;
  onHandTenths: number | null;
  countedAt: Date | null;
};
export type ListRow = { id: string; name: string; changedAt: Date; items: ItemRow[] };
type ListKey = { userId: string; listId: string };
type ItemKey = ListKey & { productId: string };
/** The fields to set; the others are unchanged. */
export type ItemChange = Partial<Omit<ItemRow, 'productId'>>;

const selected = {
  list: { id: lists.id, name: lists.name, changedAt: lists.changedAt },
  item: {
    productId: listItems.productId,
    par: listItems.par,
    onHandTenths: listItems.onHandTenths,
    countedAt: listItems.countedAt,
  },
};
const itemsOfList = and(eq(listItems.userId, lists.userId), eq(listItems.listId, lists.id));

const listsQuery = prepared('lists', (connection) =>
  connection
    .select(selected)
    .from(lists)
    .leftJoin(listItems, itemsOfList)
    .where(eq(lists.userId, sql.placeholder('userId')))
    .orderBy(asc(lists.position), asc(listItems.position)),
);

const listQuery = prepared('list', (connection) =>
  connection
    .select(selected)
    .from(lists)
    .leftJoin(listItems, itemsOfList)
    .where(and(eq(lists.userId, sql.placeholder('userId')), eq(lists.id, sql.placeholder('listId'))))
    .orderBy(asc(listItems.position)),
);

/** The user's lists and their items, both in creation order. */
export async function findLists(connection: Connection, userId: string): Promise<ListRow[]> {
  return grouped(await listsQuery(connection).execute({ userId }));
}

export async function findList(connection: Connection, key: ListKey): Promise<ListRow | undefined> {
  const [list] = grouped(await listQuery(connection).execute(key));
  return list;
}

function grouped(rows: readonly { list: Omit<ListRow, 'items'>; item: ItemRow | null }[]): ListRow[] {
  const found = new Map<string, ListRow>();
  for (const { list, item } of rows) {
    const row = found.get(list.id) ?? { ...list, items: [] };
    found.set(list.id, row);
    if (item) row.items.push(item);
  }
  return [...found.values()];
}

/** Locks the user, to serialize changes to the number and names of their lists. */
export async function lockNames(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

/** The names of the user's lists, and their positions. */
export function findNames(tx: Tx, userId: string) {
  const { id, nameKey, position } = lists;
  return tx.select({ id, nameKey, position }).from(lists).where(eq(lists.userId, userId));
}

export async function insertList(tx: Tx, list: typeof lists.$inferInsert): Promise<void> {
  await tx.insert(lists).values(list);
}

/** Sets the list's name, or only its change time, and locks it for the rest of the transaction. @returns whether it exists */
export async function changeList(
  tx: Tx,
  { userId, listId }: ListKey,
  change: { changedAt: Date; name?: string; nameKey?: string },
): Promise<boolean> {
  const changed = await tx
    .update(lists)
    .set(change)
    .where(and(eq(lists.userId, userId), eq(lists.id, listId)))
    .returning({ id: lists.id });
  return changed.length > 0;
}

/** Deletes the list with its items. @returns whether it existed */
export async function deleteList(tx: Tx, { userId, listId }: ListKey): Promise<boolean> {
  const deleted = await tx
    .delete(lists)
    .where(and(eq(lists.userId, userId), eq(lists.id, listId)))
    .returning({ id: lists.id });
  return deleted.length > 0;
}

/** Reads the reasons that could prevent adding a product to a locked list. */
export async function findCapacity(tx: Tx, { userId, listId, productId }: ItemKey) {
  const ofList = and(eq(listItems.userId, userId), eq(listItems.listId, listId));
  const [capacity] = await tx
    .select({
      isProduct: sql<boolean>`exists (select 1 from ${products} where ${products.id} = ${productId})`,
      isOnList: sql<boolean>`coalesce(bool_or(${listItems.productId} = ${productId}), false)`,
      items: sql<number>`count(*)::int`,
    })
    .from(listItems)
    .where(ofList);
  return capacity ?? { isProduct: false, isOnList: false, items: 0 };
}

/** Adds a product to the end of a locked list, or sets the given fields if it is already there. */
export async function putItem(tx: Tx, key: ItemKey, change: ItemChange): Promise<void> {
  const { userId, listId } = key;
  const position = sql`(select coalesce(max(position), 0) + 1 from list_items
    where user_id = ${userId} and list_id = ${listId})`;
  const insert = tx.insert(listItems).values({ ...key, ...change, position });
  const target = [listItems.userId, listItems.listId, listItems.productId];
  if (Object.keys(change).length === 0) await insert.onConflictDoNothing({ target });
  else await insert.onConflictDoUpdate({ target, set: change });
}

/** Numbers the products of a locked list again: these first, the others after them in their old order. */
export async function orderItems(tx: Tx, { userId, listId }: ListKey, productIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update list_items set position = placed.position
    from (
      select list_items.product_id, row_number() over (order by named.place nulls last, list_items.position) as position
      from list_items left join unnest(${sql.param(productIds)}::uuid[]) with ordinality as named (product_id, place)
        on named.product_id = list_items.product_id
      where user_id = ${userId} and list_id = ${listId}
    ) as placed
    where user_id = ${userId} and list_id = ${listId} and list_items.product_id = placed.product_id
      and list_items.position <> placed.position`);
}

/** @returns whether the product was on the list */
export async function changeItem(tx: Tx, key: ItemKey, change: ItemChange): Promise<boolean> {
  // an empty change only checks whether it is there
  const set = Object.keys(change).length === 0 ? { productId: key.productId } : change;
  const changed = await tx.update(listItems).set(set).where(isItem(key)).returning({ id: listItems.productId });
  return changed.length > 0;
}

/** @returns whether the product was on the list */
export async function deleteItem(tx: Tx, key: ItemKey): Promise<boolean> {
  const deleted = await tx.delete(listItems).where(isItem(key)).returning({ id: listItems.productId });
  return deleted.length > 0;
}

const isItem = ({ userId, listId, productId }: ItemKey) =>
  and(eq(listItems.userId, userId), eq(listItems.listId, listId), eq(listItems.productId, productId));
