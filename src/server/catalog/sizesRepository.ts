/** The SQL of groups of sizes. */
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { type Connection, prepared, type Tx } from '../db/core/transact';
import { products } from '../db/schema/tables';
import type { ProductRow } from './repository';

/** What a product's page shows of each of its sizes. */
export type SizeRow = Pick<
  ProductRow,
  | 'id'
  | 'name'
  | 'priceCents'
  | 'compareAtCents'
  | 'availability'
  | 'quantity'
  | 'unitSize'
  | 'netGrams'
  | 'netMillilitres'
  | 'slug'
>;
const { priceCents, compareAtCents, availability, quantity, unitSize, netGrams, netMillilitres, slug } = products;
const sizeColumns = {
  id: products.id,
  name: products.name,
  priceCents,
  compareAtCents,
  availability,
  quantity,
  unitSize,
  netGrams,
  netMillilitres,
  slug,
};

const sizesQuery = prepared('product_sizes', (connection) =>
  connection
    .select(sizeColumns)
    .from(products)
    .where(and(isNull(products.archivedAt), eq(products.sizeGroup, sql.placeholder('group')))),
);

/** The listed products of a group, unordered. */
export const findSizes = (connection: Connection, group: string): Promise<SizeRow[]> =>
  sizesQuery(connection).execute({ group });

const sizesOfAnyQuery = prepared('product_sizes_of_any', (connection) => {
  const ofThese = sql`${products.id} = any(${sql.placeholder('ids')}::uuid[])`;
  const groups = connection.select({ sizeGroup: products.sizeGroup }).from(products).where(ofThese);
  return connection
    .select({ ...sizeColumns, sizeGroup: products.sizeGroup })
    .from(products)
    .where(and(isNull(products.archivedAt), inArray(products.sizeGroup, groups)));
});

/** The listed products of the groups of these products, unordered. */
export const findSizesOfAny = (
  connection: Connection,
  ids: readonly string[],
): Promise<(SizeRow & Pick<ProductRow, 'sizeGroup'>)[]> => sizesOfAnyQuery(connection).execute({ ids });

/** All products of a group, archived ones too, unordered. */
export const findSizesForStaff = (connection: Connection, group: string): Promise<StaffSizeRow[]> =>
  connection
    .select({ ...sizeColumns, version: products.version, sku: products.sku, archivedAt: products.archivedAt })
    .from(products)
    .where(eq(products.sizeGroup, group));
export type StaffSizeRow = SizeRow & Pick<ProductRow, 'version' | 'sku' | 'archivedAt'>;

/** @returns how many products each of the groups has, archived ones too */
export async function countSizes(connection: Connection, groups: readonly string[]): Promise<Map<string, number>> {
  if (groups.length === 0) return new Map();
  const sizeGroup = sql<string>`${products.sizeGroup}`;
  const counted = await connection
    .select({ sizeGroup, sizes: sql<number>`count(*)`.mapWith(Number) })
    .from(products)
    .where(inArray(products.sizeGroup, [...groups]))
    .groupBy(products.sizeGroup);
  return new Map(counted.map((each) => [each.sizeGroup, each.sizes]));
}

/** @returns whether the group has a product besides this one */
export async function hasOtherSizes(tx: Tx, group: string, id: string): Promise<boolean> {
  const others = await tx
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.sizeGroup, group), ne(products.id, id)))
    .limit(1);
  return others.length > 0;
}

/** @param group null: none */
export async function writeSizeGroup(tx: Tx, ids: readonly string[], group: string | null): Promise<void> {
  await tx
    .update(products)
    .set({ sizeGroup: group })
    .where(inArray(products.id, [...ids]));
}
