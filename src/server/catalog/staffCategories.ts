/** Staff's list of categories, and deleting a category. */
import { eq, sql, type SQL } from 'drizzle-orm';
import { categoryInUse } from '../../shared/catalogStaff';
import type { categoriesList } from '../../shared/categoriesList';
import type { QueryOf } from '../../shared/contract';
import type { SortOf } from '../../shared/staffList';
import { writeAudit } from '../audit/service';
import { allOf, type Conditions, inOrder } from '../db/core/listQueries';
import { categories, keptCounts } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { conflict } from '../http/core/problems';
import { factsChanged } from '../db/core/changes';
import { categoryColumns, type CategoryRow } from './repository';
import { categoryNotFound, type List } from './service';

export type StaffCategoryRow = CategoryRow & { products: number; archivedProducts: number };
type Wanted = QueryOf<'exportCategories'>;

export async function listCategoriesForStaff(
  connection: Connection,
  { sort = 'createdAt', direction = 'asc', ...filter }: Wanted,
  { page, size }: PageRequest,
): Promise<List<StaffCategoryRow>> {
  const counts = countsOfCategories(connection);
  const where = allOf(conditions, filter);
  const live = sql<number>`coalesce(${counts.live}, 0)`;
  const sorts: Record<SortOf<typeof categoriesList>, SQL> = {
    createdAt: sql`${categories.createdAt}`,
    name: sql`lower(coalesce(${categories.title}, ${categories.name}))`, // as displayed
    description: sql`lower(${categories.description})`,
    products: live,
  };
  const [rows, totalElements] = await Promise.all([
    connection
      .select({
        ...categoryColumns,
        products: live.mapWith(Number),
        archivedProducts: sql<number>`coalesce(${counts.archived}, 0)`.mapWith(Number),
      })
      .from(categories)
      .leftJoin(counts, eq(counts.categoryId, categories.id))
      .where(where)
      .orderBy(...inOrder([sorts[sort], categories.id], direction))
      .limit(size)
      .offset(page * size),
    connection.$count(categories, where),
  ]);
  return { rows, totalElements };
}

/**
 * Deletes a category, unless it has products, including archived ones.
 * @throws Problem 404 category_not_found, 409 category_in_use with their number
 * Rule: docs/rules/catalog.md, Categories
 */
export async function deleteCategory(tx: Tx, id: string, by: Actor, now: Date): Promise<void> {
  // blocks a product that is being created in it, which then finds no category
  const [category] = await tx.select(categoryColumns).from(categories).where(eq(categories.id, id)).for('update');
  if (!category) throw categoryNotFound();
  const counts = countsOfCategories(tx);
  const [count] = await tx.select().from(counts).where(eq(counts.categoryId, id));
  if (count && count.live + count.archived > 0) {
    const message = categoryInUse({ products: count.live, archivedProducts: count.archived });
    throw conflict('category_in_use', message);
  }
  await tx.delete(categories).where(eq(categories.id, id));
  factsChanged(tx);
  const { name, title, description } = category;
  const target = { kind: 'category', id } as const;
  await writeAudit(tx, { by, action: 'category.deleted', target, before: { name, title, description }, now });
}

const countsOfCategories = (connection: Connection) =>
  connection
    .select({
      categoryId: sql<string>`${keptCounts.part}::uuid`.as('category_id'),
      live: rowsOf('listed').as('live'),
      archived: rowsOf('archived').as('archived'),
    })
    .from(keptCounts)
    .where(eq(keptCounts.list, 'products'))
    .groupBy(keptCounts.part)
    .as('counts');

const rowsOf = (value: 'listed' | 'archived') =>
  sql<number>`coalesce(sum(${keptCounts.rows}) filter (where ${keptCounts.value} = ${value}), 0)`.mapWith(Number);

const conditions: Conditions<Omit<Wanted, 'sort' | 'direction'>> = {
  q: (q) => (q.trim() === '' ? undefined : textsHold(q.trim())),
};

/** Without LIKE, whose wildcards would need escaping. */
const textsHold = (text: string): SQL =>
  sql`strpos(lower(concat_ws(' ', ${categories.name}, ${categories.title}, ${categories.description})), lower(${text})) > 0`;
