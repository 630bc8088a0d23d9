import { and, asc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Connection, Tx } from '../db/core/transact';
import { pages } from '../db/schema/tables';
import type { PageRequest } from '../http/contract/paging';

export type PageRow = typeof pages.$inferSelect;
export type ListedRow = Pick<PageRow, 'id' | 'slug' | 'title' | 'isPublished' | 'position' | 'changedAt'>;

const isKept = isNull(pages.archivedAt);
const isShown = and(isKept, eq(pages.isPublished, true));
const inOrder = [asc(pages.position), asc(pages.id)];
const { id, slug, title, isPublished, position, changedAt } = pages;

export const findListed = (connection: Connection, { page, size }: PageRequest): Promise<ListedRow[]> =>
  connection
    .select({ id, slug, title, isPublished, position, changedAt })
    .from(pages)
    .where(isKept)
    .orderBy(...inOrder)
    .limit(size)
    .offset(page * size);

export const countListed = (connection: Connection): Promise<number> => connection.$count(pages, isKept);

export const findPublished = (connection: Connection, { page, size }: PageRequest): Promise<PageRow[]> =>
  connection
    .select()
    .from(pages)
    .where(isShown)
    .orderBy(...inOrder)
    .limit(size)
    .offset(page * size);

export const countPublished = (connection: Connection): Promise<number> => connection.$count(pages, isShown);

export const findPublishedAt = (connection: Connection, wanted: string): Promise<PageRow | undefined> =>
  findOne(connection, and(isShown, eq(pages.slug, wanted)));

export const findPage = (connection: Connection, wanted: string): Promise<PageRow | undefined> =>
  findOne(connection, eq(pages.id, wanted));

async function findOne(connection: Connection, where: SQL | undefined): Promise<PageRow | undefined> {
  const [page] = await connection.select().from(pages).where(where);
  return page;
}

/** All pages in order. Takes a lock that serializes changes of pages. */
export async function lockPages(tx: Tx): Promise<{ id: string; position: number }[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${pagesLock})`);
  return tx
    .select({ id, position })
    .from(pages)
    .where(isKept)
    .orderBy(...inOrder);
}

const pagesLock = 727_021;

export async function insertPage(tx: Tx, page: PageRow): Promise<void> {
  await tx.insert(pages).values(page);
}

export async function changePage(tx: Tx, { id: changedId, ...fields }: PageRow): Promise<void> {
  await tx.update(pages).set(fields).where(eq(pages.id, changedId));
}

/** Sets the positions from 0 up, in this order. */
export async function placePages(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .update(pages)
    .set({ position: sql`place - 1` })
    .from(sql`unnest(${sql.param(ids)}::uuid[]) with ordinality as placed (placed_id, place)`)
    .where(and(eq(pages.id, sql`placed_id`), sql`${pages.position} <> place - 1`));
}
