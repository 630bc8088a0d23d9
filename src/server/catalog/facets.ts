/** The filter options of a category, from stored counts, so that the cost does not depend on the category's size. */
import { and, asc, eq, inArray, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { type Filter, presentFacets, type ProductGroup } from '../../shared/productLists';
import type { FormName } from '../../shared/catalog';
import { sumOfRows } from '../db/core/listQueries';
import { categories, keptCounts, products, type KeptList } from '../db/schema/tables';
import { prepared, type Connection } from '../db/core/transact';
import { isEmptyFilter, passes } from './filter';
import { cardsIn } from './cards';
import type { ProductRow, Selection } from './repository';

/** The distinct values that a category's products can be filtered by. */
export type Facets = Schema<'Facets'>;

const lists: KeptList[] = ['products', 'cards', 'heatLevels', 'origins', 'allergens', 'forms', 'onSale'];

const selectCounts = (connection: Connection, name: string | Placeholder, passing: SQL<number | null>) =>
  connection
    .select({
      category: { id: categories.id, name: categories.name, title: categories.title },
      list: keptCounts.list,
      value: keptCounts.value,
      rows: sumOfRows,
      passing,
    })
    .from(categories)
    .leftJoin(keptCounts, and(inArray(keptCounts.list, lists), eq(keptCounts.part, sql`${categories.id}::text`)))
    .where(eq(categories.name, name))
    .groupBy(categories.id, keptCounts.list, keptCounts.value)
    .orderBy(asc(keptCounts.value));

const countsQuery = prepared('category_counts', (connection) =>
  selectCounts(connection, sql.placeholder('name'), sql<null>`null`),
);

/** A category, the number of its listed products (or cards) that pass the filter, and the facets of all its listed products. */
export async function findCategoryFacets(
  connection: Connection,
  name: string,
  { filter, isGrouped }: Selection,
): Promise<{ category: ProductRow['category']; products: number; facets: Facets } | undefined> {
  const counts = isEmptyFilter(filter)
    ? await countsQuery(connection).execute({ name })
    : await selectCounts(
        connection,
        name,
        isGrouped ? cardsIn(filter, name) : countPassing(connection, name, filter),
      ).execute({ category: name });
  const [first] = counts;
  if (!first) return undefined;
  const valuesOf = (list: KeptList) =>
    counts.flatMap((count) => (count.list === list && count.rows > 0 ? [count.value ?? ''] : []));
  return {
    category: first.category,
    products: first.passing ?? counts.find(isGrouped ? isOfCards : isOfListed)?.rows ?? 0,
    facets: presentFacets({
      heatLevels: valuesOf('heatLevels').map(Number),
      origins: valuesOf('origins'),
      allergens: valuesOf('allergens'),
      forms: valuesOf('forms') as FormName[],
      onSale: valuesOf('onSale').length > 0,
    }),
  };
}

type Count = { list: KeptList | null; value: string | null };
const isOfCards = ({ list }: Count) => list === 'cards';
const isOfListed = ({ list, value }: Count) => list === 'products' && value === 'listed';

/** Counts row by row, but only once: the subquery does not depend on the outer row. */
const countPassing = (connection: Connection, name: string, filter: Filter) => {
  const category = connection.select({ id: categories.id }).from(categories).where(eq(categories.name, name));
  const ofCategory = and(isNull(products.archivedAt), eq(products.categoryId, sql`(${category})`), passes(filter));
  return sql<number>`(select count(*) from ${products} where ${ofCategory})`.mapWith(Number);
};

/** The listed products of a category, grouped by what filters ask about. Reads all of them: only for an open filter. */
export const findProductGroups = async (
  connection: Connection,
  name: string,
  isGrouped: boolean,
): Promise<ProductGroup[]> => {
  const { heatLevel, origin, allergens } = products;
  const card = isGrouped ? sql<string | null>`${products.sizeGroup}` : sql<null>`null::uuid`;
  // falsy for a product without it, as on a device
  const form = sql<FormName>`coalesce(${products.form}, '')`;
  const compareAtPrice = sql<number>`(${products.compareAtCents} is not null)::int`;
  const isInStock = sql<boolean>`${products.availability} and ${products.quantity} > 0`;
  return connection
    .select({
      heatLevel,
      origin,
      allergens,
      form,
      compareAtPrice,
      availability: isInStock,
      card,
      products: sql<number>`count(*)`.mapWith(Number),
    })
    .from(products)
    .innerJoin(categories, eq(categories.id, products.categoryId))
    .where(and(isNull(products.archivedAt), eq(categories.name, name)))
    .groupBy(heatLevel, origin, allergens, form, compareAtPrice, isInStock, card);
};
