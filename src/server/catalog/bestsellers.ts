/** Ranks the products that sold most. Rule: docs/rules/catalog.md, Bestsellers */
import { sql, type SQL } from 'drizzle-orm';
import { type Db, withLongTimeout } from '../db/core/transact';

const dayMs = 86_400_000;
const countedDays = 180;
/** Each changed rank is sent to every device again, so only the first ones have a rank. */
const maxRanked = 100;

/** The ids of the orders of the last 180 days that were paid and not fully refunded. */
export const paidLately = (now: Date): SQL => {
  const since = new Date(now.getTime() - countedDays * dayMs).toISOString();
  return sql`select id from orders where paid_at >= ${since} and status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED')`;
};

/** A nightly job: a list must not add up orders. Writes only ranks that change, in the order in which sales lock products. */
export async function rankBestsellers(db: Db, now: Date): Promise<void> {
  await withLongTimeout(db, (tx) =>
    tx.execute(sql`
      with sold as materialized (
        select product_id, sum(quantity) as units
        from order_items join (${paidLately(now)}) as paid on paid.id = order_id
        group by product_id
      ), ranked as materialized (
        select id, row_number() over (order by units desc, created_at, id) as rank
        from sold join products on id = product_id
        where archived_at is null
        order by rank limit ${maxRanked}
      ), changed as materialized (
        select products.id, ranked.rank
        from products left join ranked on ranked.id = products.id
        where (products.bestseller_rank is not null or ranked.id is not null)
          and products.bestseller_rank is distinct from ranked.rank
        order by products.id
        for no key update of products
      )
      update products set bestseller_rank = changed.rank from changed where products.id = changed.id`),
  );
}
