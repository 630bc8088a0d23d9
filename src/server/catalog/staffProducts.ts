/** Staff's product use cases besides the forms: list, archive, restore and bulk changes. */
import { inArray, sql } from 'drizzle-orm';
import type { AuditAction } from '../../shared/audit';
import type { ProductsChangeName } from '../../shared/catalogStaff';
import { writeAudit, type Facts } from '../audit/service';
import { products } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { factsChanged } from '../db/core/changes';
import { refuseTakenSku } from './productChecks';
import { productNotFound, type List } from './service';
import { giveSlugs } from './slugs';
import {
  countStaffProducts,
  findStaffProducts,
  findStaffProductsById,
  type StaffFilter,
  type StaffOrder,
  type StaffProductRow,
} from './staffRepository';

/**
 * A page of the list, and the total number.
 * @param threshold a product with at most this many units is low in stock
 */
export async function listProductsForStaff(
  connection: Connection,
  filter: StaffFilter & StaffOrder,
  threshold: number,
  page: PageRequest,
): Promise<List<StaffProductRow>> {
  const [rows, totalElements] = await Promise.all([
    findStaffProducts(connection, filter, threshold, page),
    countStaffProducts(connection, filter, threshold),
  ]);
  return { rows, totalElements };
}

/** @throws Problem 404 product_not_found */
export async function getProductForStaff(connection: Connection, id: string): Promise<StaffProductRow> {
  const [product] = await findStaffProductsById(connection, [id]);
  if (!product) throw productNotFound();
  return product;
}

/**
 * Archives, restores or changes the availability of products: all of them or none. Orders have their own copy of an archived
 * product; carts show that it is no longer sold.
 * @returns the ids of the products that changed
 * @throws Problem 404 product_not_found, 409 sku_taken when another product has the SKU of a restored one
 * Rule: docs/rules/catalog.md, Deleting a product
 */
export async function changeProducts(
  tx: Tx,
  ids: readonly string[],
  change: ProductsChangeName,
  by: Actor,
  now: Date,
): Promise<string[]> {
  const found = await lockFlags(tx, ids);
  if (found.length < ids.length) throw productNotFound();
  const { set, differs, action } = changes[change](now);
  const changed = found.filter(differs);
  if (changed.length === 0) return [];
  const changedIds = changed.map(({ id }) => id);
  await refuseTakenSku(tx.update(products).set(set).where(inArray(products.id, changedIds)).execute());
  factsChanged(tx);
  // Undo of an import has freed the addresses of the products that it had created
  if (change === 'restore')
    await giveSlugs(
      tx,
      changed.filter(({ slug }) => slug === null),
      now,
    );
  for (const { id, ...was } of changed) {
    const names = Object.keys(set) as (keyof typeof set)[];
    const before: Facts = Object.fromEntries(names.map((name) => [name, was[name]]));
    await writeAudit(tx, { by, action, target: { kind: 'product', id }, before, after: set, now });
  }
  return changedIds;
}

type Flags = { id: string; archivedAt: Date | null; availability: boolean };
type Locked = Flags & { name: string; slug: string | null };
type Change = {
  set: Partial<Omit<Flags, 'id'>>;
  differs: (product: Flags) => boolean;
  action: AuditAction;
};

const changes: Record<ProductsChangeName, (now: Date) => Change> = {
  archive: (now) => ({
    set: { archivedAt: now },
    differs: ({ archivedAt }) => archivedAt === null,
    action: 'product.archived',
  }),
  restore: () => ({
    set: { archivedAt: null },
    differs: ({ archivedAt }) => archivedAt !== null,
    action: 'product.restored',
  }),
  makeAvailable: () => ({
    set: { availability: true },
    differs: ({ availability }) => !availability,
    action: 'product.changed',
  }),
  makeNotAvailable: () => ({
    set: { availability: false },
    differs: ({ availability }) => availability,
    action: 'product.changed',
  }),
};

/** Locks in the order of ids, as everywhere, to avoid deadlocks. */
const lockFlags = (tx: Tx, ids: readonly string[]): Promise<Locked[]> =>
  tx
    .select({
      id: products.id,
      archivedAt: products.archivedAt,
      availability: products.availability,
      name: products.name,
      slug: products.slug,
    })
    .from(products)
    .where(inArray(products.id, [...ids]))
    .orderBy(sql`${products.id}`)
    .for('no key update');
