/**
 * Lists with one card per group of sizes. Of the products of a group that match, the cheapest that can be bought now is
 * shown. Rule: docs/rules/catalog.md, Cards
 */
import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ProductSort } from '../../shared/catalog';
import type { Filter } from '../../shared/productLists';
import { readCount } from '../db/core/listQueries';
import { type Connection, prepared, readTogether } from '../db/core/transact';
import { allProducts, productCards, products } from '../db/schema/tables';
import type { PageRequest } from '../http/contract/paging';
import { isEmptyFilter, passes, type ProductTable } from './filter';
import { findProductsById, inCategory, named, orderOf, type ProductRow, type Selection, sorts } from './repository';
import { findSizesOfAny, type SizeRow } from './sizesRepository';

/** A product and, if its group has others on sale, the sizes of the group. */
export type Card = { product: ProductRow; sizes: SizeRow[] };

/** Another product of the same group. */
const sizes = alias(products, 'sizes');

/** Of so many matching products at most, all are read, grouped, and sorted. */
const few = 200;

/**
 * @param category its name; undefined: all products
 * @param atMost a test walks along the index of few products, too
 * @returns the ids of the products shown on the page, in order
 */
export async function findCardIds(
  connection: Connection,
  { filter, sort }: Omit<Selection, 'isGrouped'>,
  page: PageRequest,
  category?: string,
  atMost = few,
): Promise<string[]> {
  if (!isEmptyFilter(filter)) return findFilteredIds(connection, { filter, sort, category, atMost }, page);
  const part = { limit: page.size, offset: page.page * page.size };
  const found =
    category === undefined
      ? await pageQueries[sort](connection).execute(part)
      : await categoryPageQueries[sort](connection).execute({ ...part, category });
  return found.map(({ id }) => id);
}

const byFirst = [asc(productCards.firstAt), asc(productCards.firstId)];
const orderOfCards: Record<ProductSort, SQL[]> = {
  featured: byFirst,
  bestsellers: [asc(productCards.bestsellerRank), ...byFirst],
  newest: [desc(productCards.firstAt), desc(productCards.firstId)],
  price_asc: [asc(productCards.priceCents), asc(productCards.productId)],
  price_desc: [desc(productCards.priceCents), desc(productCards.productId)],
  heat: [asc(productCards.heatLevel), asc(productCards.createdAt), asc(productCards.productId)],
  name: [asc(sql`${productCards.name} collate "C"`), asc(productCards.productId)],
};

const pageQueries = preparePages('cards_page', sql`${allProducts}::uuid`);
const categoryPageQueries = preparePages('cards_page_of_category', named);

function preparePages(name: string, list: SQL) {
  const prepare = (sort: ProductSort) =>
    prepared(`${name}_${sort}`, (connection) =>
      connection
        .select({ id: productCards.productId })
        .from(productCards)
        .where(eq(productCards.list, list))
        .orderBy(...orderOfCards[sort])
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset')),
    );
  return Object.fromEntries(sorts.map((sort) => [sort, prepare(sort)])) as Record<
    ProductSort,
    ReturnType<typeof prepare>
  >;
}

/**
 * If few products match, it reads them all. Otherwise it walks along the list's index until the page is full, and skips
 * sizes that another one stands for; each is compared with the sizes of its group alone. With few matches such a walk would
 * read nearly all products, one by one, in another order than that of the table.
 */
async function findFilteredIds(
  connection: Connection,
  { filter, sort, category, atMost }: Omit<Selection, 'isGrouped'> & { category: string | undefined; atMost: number },
  { page, size }: PageRequest,
): Promise<string[]> {
  const isMatch = (table: ProductTable) => matches(table, filter, category);
  const inOrder = sql.join(orderOf[sort], sql`, `);
  const ofPage = sql`order by ${inOrder} limit ${size} offset ${page * size}`;
  const placed = sql`row_number() over (order by ${inOrder}) as place`;
  const isFirst = sql`not exists (select from ${products} ${sizes}
    where ${and(eq(sizes.sizeGroup, products.sizeGroup), isMatch(sizes), sql`${placeOf(sizes, sort)} < ${placeOf(products, sort)}`)})`;
  const shown = sql`coalesce((select ${sizes.id} from ${products} ${sizes}
    where ${and(eq(sizes.sizeGroup, products.sizeGroup), isMatch(sizes))} order by ${asShown(sizes)} limit 1), ${products.id})`;
  const ofCard = sql`partition by coalesce(${products.sizeGroup}, ${products.id})`;
  const found = await connection
    .select({ id: sql<string>`id` })
    .from(
      sql`(
        with matching as materialized (
          select * from ${products} where ${isMatch(products)} order by ${sql.join(orderOf.featured, sql`, `)} limit ${atMost + 1}
        ),
        counted as materialized (select count(*) <= ${atMost} as are_few from matching)
        select shown as id, place from (
          select shown, ${placed} from (
            select *, first_value(${products.id}) over (${ofCard} order by ${asShown(products)}) as shown,
              row_number() over (${ofCard} order by ${placeOf(products, sort)}) as nth
            from matching as products where (select are_few from counted)
          ) as products where nth = 1 ${ofPage}
        ) as of_few
        union all
        select ${shown}, place from (
          select ${products.id}, ${products.sizeGroup}, ${placed} from ${products}
          where ${and(sql`not (select are_few from counted)`, isMatch(products), or(isNull(products.sizeGroup), isFirst))}
          ${ofPage}
        ) as products
      ) as page`,
    )
    .orderBy(sql`place`)
    .execute({ category });
  return found.map(({ id }) => id);
}

/** The number of cards of all products. */
export async function countCards(connection: Connection, filter: Filter): Promise<number> {
  if (isEmptyFilter(filter)) return readCount(connection, 'cards', { part: allProducts });
  const [counted] = await connection.select({ cards: cardsIn(filter) }).from(sql`(values (1)) as one`);
  return counted?.cards ?? 0;
}

/** Counts row by row. @param category its name; undefined: all products */
export const cardsIn = (filter: Filter, category?: string): SQL<number> => {
  const groups = sql`select ${products.sizeGroup}, count(*) as rows from ${products}
    where ${matches(products, filter, category)} group by ${products.sizeGroup}`;
  const cards = sql`coalesce(sum(case when size_group is null then rows else 1 end), 0)`;
  return sql<number>`(select ${cards} from (${groups}) as groups)`.mapWith(Number);
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
