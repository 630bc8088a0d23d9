import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { deliveryMethods } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';

export type DeliveryMethodRow = typeof deliveryMethods.$inferSelect;

const isNotArchived = isNull(deliveryMethods.archivedAt);

/** In checkout order. */
export const findMethods = (connection: Connection, { page, size }: PageRequest): Promise<DeliveryMethodRow[]> =>
  connection
    .select()
    .from(deliveryMethods)
    .where(isNotArchived)
    .orderBy(asc(deliveryMethods.position), asc(deliveryMethods.id))
    .limit(size)
    .offset(page * size);

export const countMethods = (connection: Connection): Promise<number> =>
  connection.$count(deliveryMethods, isNotArchived);

/** All methods in checkout order. Takes a lock that serializes changes of methods. */
export async function lockMethods(tx: Tx): Promise<DeliveryMethodRow[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${methodsLock})`);
  return tx
    .select()
    .from(deliveryMethods)
    .where(isNotArchived)
    .orderBy(asc(deliveryMethods.position), asc(deliveryMethods.id));
}

const methodsLock = 727_020;

export async function findMethod(tx: Tx, id: string): Promise<DeliveryMethodRow | undefined> {
  const [method] = await tx.select().from(deliveryMethods).where(eq(deliveryMethods.id, id));
  return method;
}

export async function insertMethod(tx: Tx, method: DeliveryMethodRow): Promise<void> {
  await tx.insert(deliveryMethods).values(method);
}

export async function changeMethod(tx: Tx, { id, ...fields }: DeliveryMethodRow): Promise<void> {
  await tx.update(deliveryMethods).set(fields).where(eq(deliveryMethods.id, id));
}

/** Sets the positions from 0 up, in this order. */
export async function placeMethods(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .update(deliveryMethods)
    .set({ position: sql`place - 1` })
    .from(sql`unnest(${sql.param(ids)}::uuid[]) with ordinality as placed (placed_id, place)`)
    .where(and(eq(deliveryMethods.id, sql`placed_id`), sql`${deliveryMethods.position} <> place - 1`));
}
