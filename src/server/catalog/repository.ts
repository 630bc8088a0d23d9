import { and, asc, count, eq, isNull, type SQL } from 'drizzle-orm';
import { categories, pictures, products } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import type { PageRequest } from '../http/paging';

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
const isListedIn = (categoryId: string) => and(isListed, eq(products.categoryId, categoryId));

export async function findCategories(connection: Connection, { page, size }: PageRequest): Promise<CategoryRow[]> {
  return connection
    .select(categoryColumns)
    .from(categories)
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

/** The products that are sold, the first ones made first. */
export const findProducts = (connection: Connection, page: PageRequest): Promise<ProductRow[]> =>
  selectPage(connection, isListed, page);

export const countProducts = (connection: Connection): Promise<number> => connection.$count(products, isListed);

export const findProductsOf = (connection: Connection, categoryId: string, page: PageRequest): Promise<ProductRow[]> =>
  selectPage(connection, isListedIn(categoryId), page);

/** A category and how many products of it are sold. */
export async function findCategorySize(
  connection: Connection,
  name: string,
): Promise<{ id: string; products: number } | undefined> {
  const [found] = await connection
    .select({ id: categories.id, products: count(products.id) })
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
