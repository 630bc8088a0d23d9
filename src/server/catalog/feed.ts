/**
 * The change feed: catalog changes since a position. The database assigns positions in commit order (triggers of
 * 0000_baseline.sql), so a reader at a position has missed nothing before it. No clock is involved.
 */
import { and, asc, eq, gt, isNull, lte, notExists, type SQL, sql } from 'drizzle-orm';
import { catalogCursor, categories, pages, removedCategories, settings } from '../db/schema/tables';
import type { Connection, Db } from '../db/core/transact';
import { categoryColumns, findChangedProducts, type CategoryRow, type ProductRow } from './repository';

export type CatalogChanges = {
  next: number;
  more: boolean;
  startOver: boolean;
  categories: CategoryRow[];
  products: ProductRow[];
  removedCategoryIds: string[];
  /** All published ones, with the time of their last change. */
  pages: { slug: string; changedAt: Date }[];
};

const maxProducts = 500;

/** The row of `settings` with the position where the feed begins; a restore writes it (backup/startEpoch.ts). */
export const epochName = 'catalog_epoch';

/**
 * @returns the feed's newest position, and its epoch: the position where it begins, 0 unless the shop was restored from a
 *   backup. A position before it is of another epoch.
 */
export async function findFeed(connection: Connection): Promise<{ position: number; epoch: number }> {
  const [feed] = await connection
    .select({ position: catalogCursor.position, epoch: settings.value })
    .from(catalogCursor)
    .leftJoin(settings, eq(settings.name, epochName));
  return { position: feed?.position ?? 0, epoch: typeof feed?.epoch === 'number' ? feed.epoch : 0 };
}

/**
 * @param since a position that the feed has reached in this epoch; 0 for the whole catalog
 * @returns changed categories and products as they are now, archived ones too; at most 500 products, then `more` is true
 * Rule: docs/rules/catalog.md, The change feed
 */
export async function readChanges(db: Db, since: number): Promise<CatalogChanges> {
  // one snapshot: a commit between two reads appears as a whole in the next response
  return db.transaction(
    async (tx) => {
      const { position } = await findFeed(tx);
      const changed = await findChangedProducts(tx, since, maxProducts + 1);
      const more = changed.length > maxProducts;
      const sent = changed.slice(0, maxProducts);
      const next = more ? (sent.at(-1)?.changeCursor ?? position) : position;
      return {
        next,
        more,
        startOver: since === 0,
        categories: await findChangedCategories(tx, since, next),
        products: sent,
        removedCategoryIds: since === 0 ? [] : await findRemovedCategoryIds(tx, since, next),
        pages: await findPageVersions(tx),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

const findChangedCategories = (connection: Connection, since: number, until: number): Promise<CategoryRow[]> =>
  connection
    .select(categoryColumns)
    .from(categories)
    .where(within(categories.changeCursor, since, until))
    .orderBy(asc(categories.changeCursor));

async function findRemovedCategoryIds(connection: Connection, since: number, until: number): Promise<string[]> {
  const made = connection.select({ id: categories.id }).from(categories).where(eq(categories.id, removedCategories.id));
  const removed = await connection
    .select({ id: removedCategories.id })
    .from(removedCategories)
    // the demo catalog's ids are always the same, so a deleted category may exist again
    .where(and(within(removedCategories.changeCursor, since, until), notExists(made)))
    .orderBy(asc(removedCategories.changeCursor));
  return removed.map(({ id }) => id);
}

const findPageVersions = (connection: Connection) =>
  connection
    .select({ slug: pages.slug, changedAt: pages.changedAt })
    .from(pages)
    .where(and(eq(pages.isPublished, true), isNull(pages.archivedAt)))
    .orderBy(asc(pages.slug));

type Cursor = typeof categories.changeCursor | typeof removedCategories.changeCursor;
const within = (cursor: Cursor, since: number, until: number): SQL =>
  and(gt(cursor, since), lte(cursor, until)) ?? sql`true`;
