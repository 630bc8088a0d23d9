import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { sessionFamilies } from '../../db/schema/tables';
import type { Connection, Tx } from '../../db/core/transact';

export type FamilyRow = typeof sessionFamilies.$inferSelect;

export async function insertFamily(tx: Tx, family: typeof sessionFamilies.$inferInsert): Promise<FamilyRow> {
  const [written] = await tx.insert(sessionFamilies).values(family).returning();
  return written as FamilyRow;
}

/** Locks the family for `tx`; a parallel call waits and then sees the change. */
export async function lockFamily(tx: Tx, id: string): Promise<FamilyRow | undefined> {
  const [family] = await tx.select().from(sessionFamilies).where(eq(sessionFamilies.id, id)).for('update');
  return family;
}

type Replacing = Pick<FamilyRow, 'tokenHash' | 'previousTokenHash'>;

/**
 * Replaces the newest token.
 * @param thumbprint binds the family to this key
 */
export async function replaceToken(
  tx: Tx,
  family: FamilyRow,
  hashes: Replacing,
  thumbprint: Buffer | undefined,
  now: Date,
): Promise<FamilyRow> {
  const change = {
    ...(thumbprint && { keyThumbprint: thumbprint, boundTokenHash: hashes.previousTokenHash }),
    ...hashes,
    refreshNumber: family.refreshNumber + 1,
    successorUsed: false,
    refreshedAt: now,
  };
  await tx.update(sessionFamilies).set(change).where(eq(sessionFamilies.id, family.id));
  return { ...family, ...change };
}

/** Marks the tokens of the newest refresh as used; does nothing for an older refresh. */
export async function recordUse(connection: Connection, id: string, refreshNumber: number): Promise<void> {
  await connection
    .update(sessionFamilies)
    .set({ successorUsed: true })
    .where(
      and(
        eq(sessionFamilies.id, id),
        eq(sessionFamilies.refreshNumber, refreshNumber),
        eq(sessionFamilies.successorUsed, false),
      ),
    );
}

/** @returns whether the family was live until now */
export async function markEnded(tx: Tx, id: string, endReason: string, now: Date): Promise<boolean> {
  const ended = await tx
    .update(sessionFamilies)
    .set({ endedAt: now, endReason })
    .where(and(eq(sessionFamilies.id, id), isNull(sessionFamilies.endedAt)))
    .returning({ id: sessionFamilies.id });
  return ended.length > 0;
}

/** @returns the ids of the families that were live until now */
export async function markAllEnded(
  tx: Tx,
  userId: string,
  endReason: string,
  now: Date,
  exceptFamilyId?: string,
): Promise<string[]> {
  const ended = await tx
    .update(sessionFamilies)
    .set({ endedAt: now, endReason })
    .where(
      and(
        eq(sessionFamilies.userId, userId),
        isNull(sessionFamilies.endedAt),
        exceptFamilyId === undefined ? undefined : ne(sessionFamilies.id, exceptFamilyId),
      ),
    )
    .returning({ id: sessionFamilies.id });
  return ended.map(({ id }) => id);
}

/** @returns the user's id; undefined when the family has ended or does not exist */
export async function findHolder(connection: Connection, id: string): Promise<string | undefined> {
  const [family] = await connection
    .select({ userId: sessionFamilies.userId })
    .from(sessionFamilies)
    .where(and(eq(sessionFamilies.id, id), isNull(sessionFamilies.endedAt)));
  return family?.userId;
}

/** The user's live families, most recently refreshed first. */
export async function findFamilies(
  connection: Connection,
  userId: string,
  { createdAfter, refreshedAfter }: { createdAfter: Date; refreshedAfter: Date },
): Promise<FamilyRow[]> {
  return connection
    .select()
    .from(sessionFamilies)
    .where(
      and(
        eq(sessionFamilies.userId, userId),
        isNull(sessionFamilies.endedAt),
        gt(sessionFamilies.createdAt, createdAfter),
        gt(sessionFamilies.refreshedAt, refreshedAfter),
      ),
    )
    .orderBy(desc(sessionFamilies.refreshedAt), desc(sessionFamilies.id));
}

/** Notifies all processes when `tx` is committed. */
export async function notifyEnded(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`select pg_notify('session_ended', ${id})`);
}
