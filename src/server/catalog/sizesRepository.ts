/** The SQL of groups of sizes. */
import { and, eq, exists, gt, inArray, isNull, ne, sql } from 'drizzle-orm';
import { type Connection, prepared, type Tx } from '../db/core/transact';
import { auditLog, products } from '../db/schema/tables';
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

const inGroupsOf = (connection: Connection, ids: readonly string[]) =>
  inArray(
    products.sizeGroup,
    connection
      .select({ sizeGroup: products.sizeGroup })
      .from(products)
      .where(inArray(products.id, [...ids])),
  );

/** @returns the ids of all products of the groups of these products, archived ones too */
export async function findIdsOfSizes(connection: Connection, ids: readonly string[]): Promise<string[]> {
  const found = await connection.select({ id: products.id }).from(products).where(inGroupsOf(connection, ids));
  return found.map(({ id }) => id);
}

/** @returns the ids of the sizes that were created with the form of a size of this product after `since`, as the audit log says */
export async function findNewSizes(connection: Connection, id: string, since: Date): Promise<string[]> {
  const creation = connection
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.targetKind, 'product'),
        eq(auditLog.targetId, sql`${products.id}::text`),
        eq(auditLog.action, 'product.created'),
        sql`${auditLog.after} ->> 'sizeGroup' is not null`,
      ),
    );
  const found = await connection
    .select({ id: products.id })
    .from(products)
    .where(and(inGroupsOf(connection, [id]), ne(products.id, id), gt(products.createdAt, since), exists(creation)));
  return found.map((size) => size.id);
}

/** All products of a group, archived ones too, unordered. */
export const findSizesForStaff = (connection: Connection, group: string): Promise<StaffSizeRow[]> =>
  connection
    .select({
      ...sizeColumns,
      version: products.version,
      sku: products.sku,
      barcode: products.barcode,
      shippingGrams: products.shippingGrams,
      archivedAt: products.archivedAt,
    })
    .from(products)
    .where(eq(products.sizeGroup, group));
export type StaffSizeRow = SizeRow & Pick<ProductRow, 'version' | 'sku' | 'barcode' | 'shippingGrams' | 'archivedAt'>;

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
