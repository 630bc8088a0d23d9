import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { categories, pictures, products } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import type { PageRequest } from '../http/paging';
import { type Filter, passes } from './filter';

export type CategoryRow = Pick<typeof categories.$inferSelect, 'id' | 'name' | 'title' | 'description'>;
type NotRead = 'unitCostCents' | 'pictureHash' | 'changeCursor' | 'createdAt';
export type ProductRow = Omit<typeof products.$inferSelect, NotRead> & {
  category: Pick<CategoryRow, 'id' | 'name' | 'title'>;
  picture: Pick<typeof pictures.$inferSelect, 'hash' | 'widths' | 'placeholder'> | null;
};

const { id, name, title, description } = categories;
const categoryColumns = { id, name, title, description };
const productColumns = {
  id: products.id,
  categoryId: products.categoryId,
  name: products.name,
  description: products.description,
  priceCents: products.priceCents,
  availability: products.availability,
  quantity: products.quantity,
  pictureAlt: products.pictureAlt,
  unitSize: products.unitSize,
  origin: products.origin,
  heatLevel: products.heatLevel,
  allergens: products.allergens,
  otherNames: products.otherNames,
  version: products.version,
  archivedAt: products.archivedAt,
  category: { id: categories.id, name: categories.name, title: categories.title },
  picture: { hash: pictures.hash, widths: pictures.widths, placeholder: pictures.placeholder },
};

const isListed = isNull(products.archivedAt);

/** A category with the picture that stands for it. */
export type PicturedCategoryRow = CategoryRow & {
  picture: (NonNullable<ProductRow['picture']> & { alt: string }) | null;
};

/** With the picture of each one's newest product that is sold: a sale changes nothing of this answer. */
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
    .offset(page * size);
}

export const countCategories = (connection: Connection): Promise<number> => connection.$count(categories);

export async function findCategory(connection: Connection, id: string): Promise<CategoryRow | undefined> {
  const [found] = await connection.select(categoryColumns).from(categories).where(eq(categories.id, id));
  return found;
}

export async function findCategoryByName(connection: Connection, name: string): Promise<CategoryRow | undefined> {
  const [found] = await connection.select(categoryColumns).from(categories).where(eq(categories.name, name));
  return found;
}

export async function insertCategory(tx: Tx, category: typeof categories.$inferInsert): Promise<void> {
  await tx.insert(categories).values(category);
}

/** @returns undefined when there is no such category; a field that is undefined stays as it is */
export async function changeCategory(
  tx: Tx,
  id: string,
  fields: { name: string; description: string; title: string | null | undefined },
): Promise<CategoryRow | undefined> {
  const [changed] = await tx.update(categories).set(fields).where(eq(categories.id, id)).returning(categoryColumns);
  return changed;
}

/** The products that are sold and pass the filter, the first ones made first. */
export const findProducts = (connection: Connection, filter: Filter, page: PageRequest): Promise<ProductRow[]> =>
  selectPage(connection, and(isListed, passes(filter)), page);

export const countProducts = (connection: Connection, filter: Filter): Promise<number> =>
  connection.$count(products, and(isListed, passes(filter)));

export const findProductsOf = (
  connection: Connection,
  categoryId: string,
  filter: Filter,
  page: PageRequest,
): Promise<ProductRow[]> =>
  selectPage(connection, and(isListed, eq(products.categoryId, categoryId), passes(filter)), page);

/** What the products of a category can be filtered by, each value once. */
export type Facets = { heatLevels: number[]; origins: string[]; allergens: string[] };

/** A category, how many products of it are sold and pass the filter, and the facets of all that are sold. */
export async function findCategoryFacets(
  connection: Connection,
  name: string,
  filter: Filter,
): Promise<{ category: ProductRow['category']; products: number; facets: Facets } | undefined> {
  const distinct = (column: typeof products.heatLevel | typeof products.origin) =>
    sql`coalesce(array_agg(distinct ${column} order by ${column}) filter (where ${column} is not null), '{}')`;
  const [found] = await connection
    .select({
      category: { id: categories.id, name: categories.name, title: categories.title },
      products: sql<number>`count(${products.id}) filter (where ${passes(filter) ?? sql`true`})`.mapWith(Number),
      facets: {
        heatLevels: sql<number[]>`${distinct(products.heatLevel)}`,
        origins: sql<string[]>`${distinct(products.origin)}`,
        allergens: sql<
          string[]
        >`array(select distinct lower(allergen) from ${products}, unnest(${products.allergens}) allergen
        where ${isListed} and ${products.categoryId} = ${categories.id} order by lower(allergen))`,
      },
    })
    .from(categories)
    .leftJoin(products, and(eq(products.categoryId, categories.id), isListed))
    .where(eq(categories.name, name))
    .groupBy(categories.id);
  return found;
}

/** Any product, archived ones too. */
export async function findProduct(connection: Connection, id: string): Promise<ProductRow | undefined> {
  const [found] = await selectProducts(connection).where(eq(products.id, id));
  return found;
}

/** The product, locked for the rest of the transaction: no sale and no other form comes in between. */
export async function lockProduct(tx: Tx, id: string): Promise<ProductRow | undefined> {
  const [found] = await selectProducts(tx).where(eq(products.id, id)).for('no key update', { of: products });
  return found;
}

export async function insertProduct(tx: Tx, product: typeof products.$inferInsert): Promise<void> {
  await tx.insert(products).values(product);
}

export type ProductFacts = Pick<
  typeof products.$inferSelect,
  | 'categoryId'
  | 'name'
  | 'description'
  | 'priceCents'
  | 'availability'
  | 'unitSize'
  | 'origin'
  | 'heatLevel'
  | 'allergens'
  | 'otherNames'
>;

/** @returns the version after it, which is the one before when nothing was different */
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

const selectPage = async (
  connection: Connection,
  where: SQL | undefined,
  { page, size }: PageRequest,
): Promise<ProductRow[]> =>
  selectProducts(connection)
    .where(where)
    .orderBy(asc(products.createdAt), asc(products.id))
    .limit(size)
    .offset(page * size);
