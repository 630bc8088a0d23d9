/** Products that go well with a product. Rule: docs/rules/catalog.md, Goes well with */
import { sql } from 'drizzle-orm';
import { fromCents } from '../../shared/money';
import { type Candidate, chooseGoesWellWith } from '../../shared/pairs';
import { statement, withLongTimeout, type Connection, type Db } from '../db/core/transact';
import { paidLately } from './bestsellers';
import { findProductsById, type ProductRow } from './repository';

/** Orders that two products have in common, at least. */
const leastOrders = 3;
/** More than are shown, because some may be deleted or sold out later. */
const maxOthers = 8;
/** Enough to fill up even if they are sizes of a few groups. */
const maxOfCategory = 40;

/** A nightly job: a page must not count orders. Writes only what changes. */
export async function pairProducts(db: Db, now: Date): Promise<void> {
  await withLongTimeout(db, (tx) =>
    tx.execute(sql`
      with paid as materialized (${paidLately(now)}),
      bought as materialized (
        select distinct order_id, coalesce(size_group, products.id) as key
        from order_items join paid on paid.id = order_id join products on products.id = product_id
      ), listed as materialized (
        select distinct coalesce(size_group, id) as key from products where archived_at is null
      ), pairs as materialized (
        select one.key, other.key as other, count(*) as orders
        from bought as one join bought as other using (order_id)
        where one.key < other.key
        group by one.key, other.key having count(*) >= ${leastOrders}
      ), ranked as (
        select key, other, row_number() over (partition by key order by orders desc, other) as place
        from (select key, other, orders from pairs union all select other, key, orders from pairs) as both_ways
        where key in (select key from listed) and other in (select key from listed)
      ), kept as materialized (
        select key, array_agg(other order by place) as others from ranked where place <= ${maxOthers} group by key
      ), removed as (
        delete from product_pairs where key not in (select key from kept)
      )
      insert into product_pairs select key, others from kept
      on conflict (key) do update set others = excluded.others where product_pairs.others <> excluded.others`),
  );
}

const columns = 'id, size_group, price_cents, availability, quantity, archived_at, bestseller_rank, created_at';

/** Reads only as many rows as it needs, each by an index. */
const candidatesQuery = statement<{ id: string; sizeGroup: string | null; priceCents: number; isAvailable: boolean }>(
  'product_candidates',
  `with paired as (
     select other, place from product_pairs, unnest(others) with ordinality as paired (other, place) where key = $1
   ), candidates as (
     select ${columns}, place from paired join products on id = other where size_group is null
     union all
     select ${columns}, place from paired join products on size_group = other
     union all
     (select ${columns}, null from products where archived_at is null and category_id = $2
      order by bestseller_rank, created_at, id limit ${maxOfCategory})
   )
   select id, size_group as "sizeGroup", price_cents as "priceCents", availability and quantity > 0 as "isAvailable"
   from candidates where archived_at is null order by place, bestseller_rank, created_at, id`,
);

/** @returns what a product's page can offer with it, the best first */
export async function findCandidates(connection: Connection, product: ProductRow): Promise<Candidate[]> {
  if (product.archivedAt) return [];
  const found = await candidatesQuery(connection, [product.sizeGroup ?? product.id, product.category.id]);
  return found.map(({ priceCents, isAvailable, ...candidate }) => ({
    ...candidate,
    price: fromCents(priceCents),
    availability: isAvailable,
  }));
}

/** @returns the chosen ones among the candidates, in the order shown */
export async function findGoesWellWith(
  connection: Connection,
  product: ProductRow,
  candidates: readonly Candidate[],
): Promise<ProductRow[]> {
  const ids = chooseGoesWellWith(product, candidates).map(({ id }) => id);
  if (ids.length === 0) return [];
  const found = new Map((await findProductsById(connection, ids)).map((row) => [row.id, row]));
  return ids.map((id) => found.get(id)).filter((row) => row !== undefined);
}
