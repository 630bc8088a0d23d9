/**
 * Groups of sizes. A group is no row of its own: its products have the same `sizeGroup`. The last product of
 * a group keeps its `sizeGroup`, and its page shows no sizes.
 */
import { randomUUID } from 'node:crypto';
import { productMessages } from '../../shared/catalogStaff';
import type { Schema } from '../../shared/contract';
import { maxSizes } from '../../shared/sizeGroups';
import { writeAudit } from '../audit/service';
import { factsChanged } from '../db/core/changes';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { conflict } from '../http/core/problems';
import { lockProducts, type ProductRow } from './repository';
import {
  countSizes,
  findIdsOfSizes,
  findNewSizes,
  findSizesForStaff,
  hasOtherSizes,
  writeSizeGroup,
  type StaffSizeRow,
} from './sizesRepository';
import { productNotFound } from './service';

/** @returns all products of its group; none if it is the only one */
export async function findSizesOf(
  connection: Connection,
  { sizeGroup }: Pick<ProductRow, 'sizeGroup'>,
): Promise<StaffSizeRow[]> {
  const sizes = sizeGroup === null ? [] : await findSizesForStaff(connection, sizeGroup);
  return sizes.length > 1 ? sizes : [];
}

/**
 * Makes a product another size of a second one, or takes it out of its group.
 * @param sizeOf the second one; null: no longer a size of others
 * @param move lets it leave the other products of its group
 * @throws Problem 404 product_not_found, 409 already_a_size, too_many_sizes
 * Rule: docs/rules/catalog.md, Sizes
 */
export async function setSizeOf(
  tx: Tx,
  productId: string,
  { sizeOf, move = false }: Schema<'SizeOf'>,
  by: Actor,
  now: Date,
): Promise<void> {
  const [id, otherId] = [productId.toLowerCase(), sizeOf?.toLowerCase()];
  const found = await (otherId === undefined ? lockProducts(tx, [id]) : lockGroups(tx, [id, otherId]));
  const product = found.find((each) => each.id === id);
  const other = found.find((each) => each.id === otherId);
  if (!product || (otherId !== undefined && !other)) throw productNotFound();
  if (other ? isSameGroup(product, other) : product.sizeGroup === null) return;
  if (other && !move && product.sizeGroup && (await hasOtherSizes(tx, product.sizeGroup, id)))
    throw conflict('already_a_size', productMessages.alreadyASize(product.name));
  if (other) await requireRoom(tx, other.sizeGroup, 1);
  const group = other && (other.sizeGroup ?? randomUUID());
  const changed = other && other.sizeGroup === null ? [product, other] : [product];
  await assignSizeGroup(tx, changed, group ?? null, by, now);
}

/**
 * Locks products and all others of their groups in the order of their ids, so that two who add sizes at the same time
 * count one after the other.
 */
export const lockGroups = async (tx: Tx, ids: readonly string[]): Promise<ProductRow[]> =>
  lockProducts(tx, [...ids, ...(await findIdsOfSizes(tx, ids))]);

/**
 * Locks a product and the sizes that staff created with it after `since`, in the order of their ids.
 * @returns the ids of these sizes
 */
export async function lockNewSizes(tx: Tx, productId: string, since: Date): Promise<string[]> {
  const sizes = await findNewSizes(tx, productId, since);
  if (sizes.length > 0) await lockProducts(tx, [productId, ...sizes]);
  return sizes;
}

/**
 * @param group null: that of a product without other sizes. Its products are locked
 * @throws Problem 409 too_many_sizes if the group can't have this many more products
 */
export async function requireRoom(tx: Tx, group: string | null, more: number): Promise<void> {
  const there = group === null ? 1 : ((await countSizes(tx, [group])).get(group) ?? 0);
  if (more > 0 && there + more > maxSizes) throw conflict('too_many_sizes', productMessages.tooManySizes);
}

const isSameGroup = (product: ProductRow, other: ProductRow) =>
  product === other || (product.sizeGroup !== null && product.sizeGroup === other.sizeGroup);

/** @param group null: none */
export async function assignSizeGroup(
  tx: Tx,
  changed: readonly Pick<ProductRow, 'id' | 'sizeGroup'>[],
  group: string | null,
  by: Actor,
  now: Date,
): Promise<void> {
  const ids = changed.map(({ id }) => id);
  await writeSizeGroup(tx, ids, group);
  factsChanged(tx);
  for (const { id, sizeGroup } of changed) {
    const facts = { before: { sizeGroup }, after: { sizeGroup: group } };
    await writeAudit(tx, { by, action: 'product.sizes_changed', target: { kind: 'product', id }, ...facts, now });
  }
}
