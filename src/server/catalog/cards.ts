/**
 * Lists with one card per group of sizes. Of the products of a group that match, the cheapest that can be bought now is
 * shown. Rule: docs/rules/catalog.md, Cards
 */
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ProductSort } from '../../shared/catalog';
import type { Filter } from '../../shared/productLists';
import { type Connection, readTogether } from '../db/core/transact';
import { products } from '../db/schema/tables';
import type { PageRequest } from '../http/contract/paging';
import { passes, type ProductTable } from './filter';
import { findProductsById, inCategory, orderOf, type ProductRow, type Selection } from './repository';
import { findSizesOfAny, type SizeRow } from './sizesRepository';

/** A product and, if its group has others on sale, the sizes of the group. */
export type Card = { product: ProductRow; sizes: SizeRow[] };

/** Another product of the same group. */
const sizes = alias(products, 'sizes');

/**
 * @param category its name; undefined: all products
 * @returns the ids of the products shown on the page, in order
 */
export async function findCardIds(
  connection: Connection,
  { filter, sort }: Omit<Selection, 'isGrouped'>,
  { page, size }: PageRequest,
  category?: string,
): Promise<string[]> {
  const isMatch = (table: ProductTable) => matches(table, filter, category);
  const isFirst = sql`not exists (select from ${products} ${sizes}
    where ${and(eq(sizes.sizeGroup, products.sizeGroup), isMatch(sizes), sql`${placeOf(sizes, sort)} < ${placeOf(products, sort)}`)})`;
  const shown = sql`coalesce((select ${sizes.id} from ${products} ${sizes}
    where ${and(eq(sizes.sizeGroup, products.sizeGroup), isMatch(sizes))} order by ${asShown(sizes)} limit 1), ${products.id})`;
  const found = await connection
    .select({ id: sql<string>`${shown}` }) // nested: the names of columns keep their table
    .from(products)
    .where(and(isMatch(products), or(isNull(products.sizeGroup), isFirst)))
    .orderBy(...orderOf[sort])
    .limit(size)
    .offset(page * size)
    .execute({ category });
  return found.map(({ id }) => id);
}

/** The number of cards of all products. */
export async function countCards(connection: Connection, filter: Filter): Promise<number> {
  const [counted] = await connection.select({ cards: cardsIn(filter) }).from(sql`(values (1)) as one`);
  return counted?.cards ?? 0;
}

/** Counts row by row. @param category its name; undefined: all products */
export const cardsIn = (filter: Filter, category?: string): SQL<number> => {
  const card = sql`coalesce(${products.sizeGroup}, ${products.id})`;
  const cards = sql`select distinct ${card} from ${products} where ${matches(products, filter, category)}`;
  return sql<number>`(select count(*) from (${cards}) as cards)`.mapWith(Number);
};

/** @param ids of listed products @returns their cards in this order, without those that are listed no more */
export async function findCards(connection: Connection, ids: readonly string[]): Promise<Card[]> {
  const [rows, sizesOfGroups] = await readTogether(connection, (on) => [
    findProductsById(on, ids),
    findSizesOfAny(on, ids),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const product = byId.get(id);
    const group = sizesOfGroups.filter(({ sizeGroup }) => sizeGroup === product?.sizeGroup);
    return product ? [{ product, sizes: group.length > 1 ? group : [] }] : [];
  });
}

const matches = (table: ProductTable, filter: Filter, category: string | undefined) =>
  and(isNull(table.archivedAt), category === undefined ? undefined : inCategory(table), passes(filter, table));

/** Which product of a group is shown: one that can be bought now, then the cheapest. */
const asShown = ({ availability, quantity, priceCents, id }: ProductTable): SQL =>
  sql`not (${availability} and ${quantity} > 0), ${priceCents}, ${id}`;

/** The product of a group that decides about the card's place. */
function placeOf(table: ProductTable, sort: ProductSort): SQL {
  const { bestsellerRank, createdAt, id } = table;
  if (sort === 'featured' || sort === 'newest') return sql`(${createdAt}, ${id})`;
  if (sort === 'bestsellers') return sql`(coalesce(${bestsellerRank}, 2147483647), ${createdAt}, ${id})`;
  return sql`(${asShown(table)})`;
}
