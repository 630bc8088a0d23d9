import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { type ProductSort, sortLabels } from '../../shared/catalog';
import type { Filter } from '../../shared/productLists';
import { sumOfRows } from '../db/core/listQueries';
import { categories, keptCounts, pictures, products, productSlugs, removedCategories } from '../db/schema/tables';
import { type Connection, prepared, type Tx } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { passes, type ProductTable } from './filter';

export type CategoryRow = Pick<typeof categories.$inferSelect, 'id' | 'name' | 'title' | 'description' | 'createdAt'>;
export type ProductRow = Omit<typeof products.$inferSelect, 'pictureHash'> & {
  category: Pick<CategoryRow, 'id' | 'name' | 'title'>;
  picture: (PictureRow & Pick<typeof pictures.$inferSelect, 'keptAvifBytes' | 'keptWebpBytes'>) | null;
};
type PictureRow = Pick<typeof pictures.$inferSelect, 'hash' | 'widths' | 'placeholder'>;

const { id, name, title, description, createdAt } = categories;
export const categoryColumns = { id, name, title, description, createdAt };
const { pictureHash: _, ...columnsOfProduct } = getTableColumns(products);
export const productColumns = {
  ...columnsOfProduct,
  category: { id: categories.id, name: categories.name, title: categories.title },
  picture: {
    hash: pictures.hash,
    widths: pictures.widths,
    placeholder: pictures.placeholder,
    keptAvifBytes: pictures.keptAvifBytes,
    keptWebpBytes: pictures.keptWebpBytes,
  },
};

const isListed = isNull(products.archivedAt);

/** A category with its representative picture. */
export type PicturedCategoryRow = CategoryRow & {
  picture: (PictureRow & { alt: string }) | null;
};

/** Each with the picture of its newest available product. Independent of quantities, so that sales do not change the result. */
export async function findCategories(
  connection: Connection,
  { page, size }: PageRequest,
): Promise<PicturedCategoryRow[]> {
  const newest = connection
    .select({
      hash: pictures.hash,
      widths: pictures.widths,
      placeholder: pictures.placeholder,
      alt: sql<string>`coalesce(${products.pictureAlt}, ${products.name})`.as('alt'),
    })
    .from(products)
    .innerJoin(pictures, eq(pictures.hash, products.pictureHash))
    .where(and(isListed, eq(products.categoryId, categories.id), products.availability))
    .orderBy(desc(products.createdAt), desc(products.id))
    .limit(1)
    .as('newest');
  const { hash, widths, placeholder, alt } = newest;
  return connection
    .select({ ...categoryColumns, picture: { hash, widths, placeholder, alt } })
    .from(categories)
    .leftJoinLateral(newest, sql`true`)
    .orderBy(asc(categories.createdAt), asc(categories.id))
    .limit(size)
    .offset(page * size)
    .execute();
}

export const countCategories = async (connection: Connection): Promise<number> => connection.$count(categories);

export async function findCategory(connection: Connection, id: string): Promise<CategoryRow | undefined> {
  const [found] = await connection.select(categoryColumns).from(categories).where(eq(categories.id, id));
  return found;
}

export const findAllCategories = (connection: Connection): Promise<CategoryRow[]> =>
  connection.select(categoryColumns).from(categories);

/** Locks the category against deletion until the transaction ends. */
export async function lockCategory(tx: Tx, by: { id: string } | { name: string }): Promise<CategoryRow | undefined> {
  const where = 'id' in by ? eq(categories.id, by.id) : eq(categories.name, by.name);
  const [found] = await tx.select(categoryColumns).from(categories).where(where).for('key share');
  return found;
}

export async function insertCategory(tx: Tx, category: typeof categories.$inferInsert): Promise<void> {
  await tx.insert(categories).values(category);
}

/** Deletes the record of a category's deletion. @returns whether there was one; true for only one of two concurrent calls */
export async function clearRemoval(tx: Tx, id: string): Promise<boolean> {
  const forgotten = await tx.delete(removedCategories).where(eq(removedCategories.id, id)).returning();
  return forgotten.length > 0;
}

/** @returns undefined when the category does not exist; undefined fields are unchanged */
export async function changeCategory(
  tx: Tx,
  id: string,
  fields: { name: string; description: string; title: string | null | undefined },
): Promise<CategoryRow | undefined> {
  const [changed] = await tx.update(categories).set(fields).where(eq(categories.id, id)).returning(categoryColumns);
  return changed;
}

/** Which products of a list, in which order, and whether one stands for all sizes of its group. */
export type Selection = { filter: Filter; sort: ProductSort; isGrouped: boolean };

/** Each reads an index forwards or backwards. The device has the same orders: comparatorOf in shared/productLists.ts. */
const inFeaturedOrder = [asc(products.createdAt), asc(products.id)];
export const orderOf: Record<ProductSort, SQL[]> = {
  featured: inFeaturedOrder,
  bestsellers: [asc(products.bestsellerRank), ...inFeaturedOrder],
  newest: [desc(products.createdAt), desc(products.id)],
  price_asc: [asc(products.priceCents), asc(products.id)],
  price_desc: [desc(products.priceCents), desc(products.id)],
  heat: [asc(products.heatLevel), ...inFeaturedOrder],
  name: [asc(sql`lower(${products.name}) collate "C"`), asc(products.id)],
};
export const sorts = Object.keys(sortLabels) as ProductSort[];

const anyPage = { limit: sql.placeholder('limit'), offset: sql.placeholder('offset') };
export const named = sql`(select ${categories.id} from ${categories} where ${categories.name} = ${sql.placeholder('category')})`;
/** Whether it is of the category whose name is the value of the placeholder `category`. */
export const inCategory = ({ categoryId }: ProductTable): SQL => eq(categoryId, named);
const pageQueries = preparePages('products_page', isListed);
const categoryPageQueries = preparePages('products_page_of_category', and(isListed, inCategory(products)));

function preparePages(name: string, where: SQL | undefined) {
  const prepare = (sort: ProductSort) =>
    prepared(`${name}_${sort}`, (connection) => selectPage(connection, where, sort, anyPage));
  return Object.fromEntries(sorts.map((sort) => [sort, prepare(sort)])) as Record<
    ProductSort,
    ReturnType<typeof prepare>
  >;
}

/** The listed products that pass the filter, of one category (by name) or of all. */
export function findProducts(
  connection: Connection,
  { filter, sort }: Omit<Selection, 'isGrouped'>,
  { page, size }: PageRequest,
  category?: string,
): Promise<ProductRow[]> {
  const part = { limit: size, offset: page * size };
  const filtered = passes(filter);
  if (filtered) {
    const ofCategory = category === undefined ? undefined : inCategory(products);
    return selectPage(connection, and(isListed, ofCategory, filtered), sort, part).execute({ category });
  }
  if (category === undefined) return pageQueries[sort](connection).execute(part);
  return categoryPageQueries[sort](connection).execute({ ...part, category });
}

const listedQuery = prepared('products_listed', (connection) =>
  connection
    .select({ rows: sumOfRows })
    .from(keptCounts)
    .where(and(eq(keptCounts.list, 'products'), eq(keptCounts.value, 'listed'))),
);

/** The number of listed products, from the stored counts. */
export async function countListed(connection: Connection): Promise<number> {
  const [counted] = await listedQuery(connection).execute();
  return counted?.rows ?? 0;
}

/** Counts row by row. Only for filtered lists, since others have stored counts. */
export const countProducts = async (connection: Connection, filter: Filter): Promise<number> =>
  connection.$count(products, and(isListed, passes(filter)));

const productQuery = prepared('product', (connection) =>
  selectProducts(connection).where(eq(products.id, sql.placeholder('id'))),
);

/** Any product, archived ones too. */
export async function findProduct(connection: Connection, id: string): Promise<ProductRow | undefined> {
  const [found] = await productQuery(connection).execute({ id });
  return found;
}

/** @param slug the present or a former address */
export async function findProductBySlug(connection: Connection, slug: string): Promise<ProductRow | undefined> {
  const [found] = await slugQuery(connection).execute({ slug });
  return found;
}

const slugQuery = prepared('product_by_slug', (connection) =>
  selectProducts(connection)
    .innerJoin(productSlugs, eq(productSlugs.productId, products.id))
    .where(eq(productSlugs.slug, sql.placeholder('slug'))),
);

/** Locks the product for the rest of the transaction, against sales and other forms. */
export async function lockProduct(tx: Tx, id: string): Promise<ProductRow | undefined> {
  const [found] = await lockProducts(tx, [id]);
  return found;
}

/**
 * Locks several products, and all products of the groups of sizes, in the order of their ids. Reads them after locking: a
 * statement that waits for a lock would join the category and picture that they had before it waited.
 */
export async function lockProducts(
  tx: Connection,
  ids: readonly string[],
  groups: readonly string[] = [],
): Promise<ProductRow[]> {
  const ofGroups = groups.length > 0 ? inArray(products.sizeGroup, [...groups]) : undefined;
  const locked = await tx
    .select({ id: products.id })
    .from(products)
    .where(or(inArray(products.id, [...ids]), ofGroups))
    .orderBy(asc(products.id))
    .for('no key update');
  if (locked.length === 0) return [];
  const found = locked.map(({ id }) => id);
  return selectProducts(tx).where(inArray(products.id, found)).orderBy(asc(products.id));
}

/** The same without a lock, unordered. */
export const findProductsOfIds = (connection: Connection, ids: readonly string[]): Promise<ProductRow[]> =>
  selectProducts(connection).where(inArray(products.id, [...ids]));

/** The products changed after a feed position, including archived ones, in feed order. */
export const findChangedProducts = (connection: Connection, since: number, limit: number): Promise<ProductRow[]> =>
  selectProducts(connection).where(gt(products.changeCursor, since)).orderBy(asc(products.changeCursor)).limit(limit);

/** The listed ones among these products, unordered. */
export const findProductsById = (connection: Connection, ids: readonly string[]): Promise<ProductRow[]> =>
  byIdQuery(connection).execute({ ids });

const byIdQuery = prepared('products_by_id', (connection) =>
  selectProducts(connection).where(and(isListed, sql`${products.id} = any(${sql.placeholder('ids')}::uuid[])`)),
);

/** @param skus in small letters @returns the ids of the products on sale that have one of them, by SKU */
export async function findSkus(connection: Connection, skus: readonly string[]): Promise<Map<string, string>> {
  if (skus.length === 0) return new Map();
  const sku = sql<string>`lower(${products.sku})`;
  const found = await connection
    .select({ sku, id: products.id })
    .from(products)
    .where(and(isListed, inArray(sku, [...skus])));
  return new Map(found.map(({ sku, id }) => [sku, id]));
}

/** Takes their SKUs from products. */
export async function clearSkus(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(products)
    .set({ sku: null })
    .where(inArray(products.id, [...ids]));
}

export async function insertProducts(tx: Tx, rows: (typeof products.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(products).values(rows);
}

/** @returns when the newest product was created */
export async function findLastCreation(tx: Tx): Promise<Date | undefined> {
  const [newest] = await tx
    .select({ createdAt: products.createdAt })
    .from(products)
    .orderBy(desc(products.createdAt))
    .limit(1);
  return newest?.createdAt;
}

/** The columns that the product form changes: all except these. */
export type ProductFacts = Omit<
  typeof products.$inferSelect,
  | 'id'
  | 'quantity'
  | 'pictureHash'
  | 'pictureAlt'
  | 'photos'
  | 'version'
  | 'editedVersion'
  | 'changeCursor'
  | 'bestsellerRank'
  | 'sizeGroup'
  | 'createdAt'
  | 'archivedAt'
>;

/** @returns the version afterwards, which is unchanged if nothing was different */
export async function changeFacts(tx: Tx, id: string, facts: ProductFacts): Promise<number | undefined> {
  const [changed] = await tx
    .update(products)
    .set(facts)
    .where(eq(products.id, id))
    .returning({ version: products.version });
  return changed?.version;
}

const selectProducts = (connection: Connection) =>
  connection
    .select(productColumns)
    .from(products)
    .innerJoin(categories, eq(categories.id, products.categoryId))
    .leftJoin(pictures, eq(pictures.hash, products.pictureHash));

type Part<Count> = { limit: Count; offset: Count };

/** Finds the ids by index, and reads only the page's rows in full, so that late pages are as fast as early ones. */
function selectPage(
  connection: Connection,
  where: SQL | undefined,
  sort: ProductSort,
  { limit, offset }: Part<number | Placeholder>,
) {
  const ids = connection
    .select({ id: products.id })
    .from(products)
    .where(where)
    .orderBy(...orderOf[sort])
    .limit(limit)
    .offset(offset)
    .as('page');
  return selectProducts(connection)
    .innerJoin(ids, eq(ids.id, products.id))
    .orderBy(...orderOf[sort]);
}
