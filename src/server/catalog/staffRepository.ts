/** The SQL of staff's product list, with its filters and sort orders. */
import {
  and,
  arrayContains,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { QueryOf } from '../../shared/contract';
import type { productsList } from '../../shared/productsList';
import type { SortOf } from '../../shared/staffList';
import {
  allOf,
  type Conditions,
  containsText,
  inOrder,
  isNarrowed,
  readCount,
  sumOfRows,
} from '../db/core/listQueries';
import { categories, keptCounts, pictures, pictureUploads, products } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import type { AddedUpload } from './photos';
import { productColumns, type ProductRow } from './repository';

type ListQuery = QueryOf<'exportProducts'>;
export type StaffOrder = Pick<ListQuery, 'sort' | 'direction'>;
export type StaffFilter = Omit<ListQuery, keyof StaffOrder>;

export type StaffProductRow = ProductRow & {
  /** The one for the first photo. */
  upload: Pick<typeof pictureUploads.$inferSelect, 'id' | 'state' | 'failure' | 'createdAt'> | null;
  addedUploads: AddedUpload[];
};

const { id: uploadId, state, failure, createdAt } = pictureUploads;
const currentUpload = { id: uploadId, state, failure, createdAt };
/** Added photos that are not ready. */
const addedUploads = sql<AddedUpload[]>`(
  select coalesce(json_agg(json_build_object('id', added.id, 'state', added.state, 'failure', added.failure,
    'alt', added.alt, 'hash', added.hash, 'place', added.place)), '[]')
  from ${pictureUploads} added
  where added.product_id = ${products.id} and added.place is not null and added.state in ('processing', 'failed'))`;

const selectForStaff = (connection: Connection) =>
  connection
    .select({ ...productColumns, upload: currentUpload, addedUploads })
    .from(products)
    .innerJoin(categories, eq(categories.id, products.categoryId))
    .leftJoin(pictures, eq(pictures.hash, products.pictureHash))
    .leftJoin(
      pictureUploads,
      and(
        eq(pictureUploads.productId, products.id),
        isNull(pictureUploads.place),
        inArray(pictureUploads.state, ['processing', 'failed']),
      ),
    );

/**
 * Finds the ids first, by an index-only scan where possible, and reads only the page's rows in full.
 * @param threshold a product with at most this many units is low in stock
 */
export async function findStaffProducts(
  connection: Connection,
  filter: StaffFilter & StaffOrder,
  threshold: number,
  { page, size }: PageRequest,
): Promise<StaffProductRow[]> {
  const ids = await sortedIds(connection, filter, threshold)
    .limit(size)
    .offset(page * size);
  if (ids.length === 0) return [];
  const places = new Map(ids.map(({ id }, place) => [id, place]));
  const rows = await findStaffProductsById(connection, [...places.keys()]);
  return rows.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

export async function countStaffProducts(
  connection: Connection,
  filter: StaffFilter & StaffOrder,
  threshold: number,
): Promise<number> {
  const { sort: _sort, direction: _direction, archived = 'no', lowStock = false, supplier, tag, ...others } = filter;
  const part = partOf[archived];
  if (!lowStock && !isNarrowed(others)) {
    if (supplier === undefined && tag === undefined) return readCount(connection, 'products', { value: part });
    if (tag === undefined) return readCount(connection, 'suppliers', { part, value: supplier });
    if (supplier === undefined) return readCount(connection, 'tags', { part, value: tag });
  }
  const [counted] = await connection
    .select({ count: count() })
    .from(products)
    .leftJoin(categories, eq(categories.id, products.categoryId))
    .where(passesStaff(filter, threshold));
  return counted?.count ?? 0;
}

/** How stored counts name the products that the parameter `archived` asks for. */
const partOf = { no: 'listed', yes: 'archived', all: undefined } as const;

const maxValues = 100;

/** The most common suppliers and tags, from stored counts, with the number of products. */
export async function findProductFilters(connection: Connection, archived: keyof typeof partOf) {
  const part = partOf[archived];
  const find = (list: 'suppliers' | 'tags') =>
    connection
      .select({ value: keptCounts.value, products: sumOfRows })
      .from(keptCounts)
      .where(and(eq(keptCounts.list, list), part && eq(keptCounts.part, part)))
      .groupBy(keptCounts.value)
      .having(gt(sumOfRows, 0))
      .orderBy(desc(sumOfRows), asc(keptCounts.value))
      .limit(maxValues);
  const [suppliers, tags] = await Promise.all([find('suppliers'), find('tags')]);
  return { suppliers, tags };
}

/** The ids of all matching products, in list order. */
export async function findStaffProductIds(
  connection: Connection,
  filter: StaffFilter & StaffOrder,
  threshold: number,
): Promise<string[]> {
  const rows = await sortedIds(connection, filter, threshold);
  return rows.map((row) => row.id);
}

export const findStaffProductsById = (connection: Connection, ids: readonly string[]): Promise<StaffProductRow[]> =>
  selectForStaff(connection).where(inArray(products.id, [...ids]));

const sortedIds = (connection: Connection, filter: StaffFilter & StaffOrder, threshold: number) =>
  connection
    .select({ id: products.id })
    .from(products)
    .leftJoin(categories, eq(categories.id, products.categoryId)) // PostgreSQL drops an unused join
    .where(passesStaff(filter, threshold))
    .orderBy(...orderOf(filter))
    .$dynamic();

const canBeBought = and(products.availability, gt(products.quantity, 0)) ?? sql`true`;
const lowerName = sql`lower(${products.name})`;
/** The category's displayed title. */
const readTitle = sql`lower(coalesce(${categories.title}, ${categories.name}))`;
const id = sql`${products.id}`;

const conditionsFor = (threshold: number): Conditions<StaffFilter> => ({
  archived: (archived) =>
    archived === 'all' ? undefined : (archived === 'yes' ? isNotNull : isNull)(products.archivedAt),
  q: (q) => (q.trim() === '' ? undefined : or(namesHold(q.trim()), hasCode(q.trim()))),
  category: (category) => eq(categories.name, category),
  availability: (availability) => (availability === 'available' ? canBeBought : not(canBeBought)),
  supplier: (supplier) => eq(products.supplier, supplier),
  tag: (tag) => arrayContains(products.tags, [tag]),
  lowStock: (isLow) => (isLow ? lte(products.quantity, threshold) : undefined),
});

const passesStaff = ({ archived = 'no', ...filter }: StaffFilter, threshold: number): SQL | undefined =>
  allOf(conditionsFor(threshold), { archived, ...filter });

/** Matches literally, including LIKE's wildcards. */
const namesHold = (text: string): SQL =>
  sql`product_names(${products.name}, ${products.otherNames}) like lower(${containsText(text)})`;

/** The whole SKU, ignoring case, or the whole barcode. */
const hasCode = (text: string): SQL => sql`(lower(${products.sku}) = lower(${text}) or ${products.barcode} = ${text})`;

const orderOf = ({ sort = 'createdAt', direction = 'asc' }: StaffOrder): SQL[] => inOrder(sorts[sort], direction);

const sorts: Record<SortOf<typeof productsList>, SQL[]> = {
  createdAt: [sql`${products.createdAt}`, id],
  name: [lowerName, id],
  price: [sql`${products.priceCents}`, id],
  unitCost: [sql`${products.unitCostCents}`, id],
  availability: [canBeBought, lowerName, id],
  quantity: [sql`${products.quantity}`, id],
  category: [readTitle, lowerName, id],
};
