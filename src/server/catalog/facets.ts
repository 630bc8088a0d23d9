/** What a category can be filtered by: from the kept counts, so that it costs the same in a category of any size. */
import { and, asc, eq, inArray, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Filter } from '../../shared/productLists';
import { sumOfRows } from '../db/core/lists';
import { categories, keptCounts, products, type KeptList } from '../db/schema/tables';
import { prepared, type Connection } from '../db/core/transact';
import { letsAllPass, passes } from './filter';
import type { ProductRow } from './repository';

/** What the products of a category can be filtered by, each value once. */
export type Facets = { heatLevels: number[]; origins: string[]; allergens: string[] };

const lists: KeptList[] = ['products', 'heatLevels', 'origins', 'allergens'];

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

/** A category, how many products of it are sold and pass the filter, and the facets of all that are sold. */
export async function findCategoryFacets(
  connection: Connection,
  name: string,
  filter: Filter,
): Promise<{ category: ProductRow['category']; products: number; facets: Facets } | undefined> {
  const counts = letsAllPass(filter)
    ? await countsQuery(connection).execute({ name })
    : await selectCounts(connection, name, countPassing(connection, name, filter));
  const [first] = counts;
  if (!first) return undefined;
  const valuesOf = (list: KeptList) =>
    counts.flatMap((count) => (count.list === list && count.rows > 0 ? [count.value ?? ''] : []));
  return {
    category: first.category,
    products: first.passing ?? counts.find(({ list, value }) => list === 'products' && value === 'listed')?.rows ?? 0,
    facets: {
      heatLevels: valuesOf('heatLevels').map(Number),
      origins: valuesOf('origins'),
      allergens: valuesOf('allergens'),
    },
  };
}

/** Counted row by row, once: it asks for nothing of the row that it is selected in. */
const countPassing = (connection: Connection, name: string, filter: Filter) => {
  const category = connection.select({ id: categories.id }).from(categories).where(eq(categories.name, name));
  const ofCategory = and(isNull(products.archivedAt), eq(products.categoryId, sql`(${category})`), passes(filter));
  return sql<number>`(select count(*) from ${products} where ${ofCategory})`.mapWith(Number);
};
