/** Writes the cards of products from before there were cards. The release after the next may drop it, with its table. */
import { drizzle } from 'drizzle-orm/node-postgres';
import { sql } from 'drizzle-orm';
import type { Client } from 'pg';

/** Short enough that a change of the catalog, which waits for the batch, is not felt. */
const productsInBatch = 500;

/**
 * Continues where a process that was killed has stopped. Changes of the catalog, and orders that leave 10 units or fewer,
 * wait for one batch; nothing else waits.
 * @param client of the tables' owner
 * @param whenFree repeats a batch that met another transaction
 */
export async function fillCards(
  client: Client,
  whenFree: (attempt: () => Promise<boolean>) => Promise<boolean>,
): Promise<void> {
  const { rows } = await client.query<{ table: string | null }>(`select to_regclass('cards_to_fill') as table`);
  if (!rows[0]?.table) return;
  while (await whenFree(() => fillBatch(client)));
}

/** A group is written whole, with the batch of its smallest id. @returns whether products may be left */
const fillBatch = (client: Client): Promise<boolean> =>
  drizzle(client).transaction(async (tx) => {
    const { rowCount: left } = await tx.execute(sql`select from cards_to_fill`);
    if (!left) return false;
    await tx.execute(sql`select from catalog_cursor for update`); // as keep_cards of 0013_product_cards.sql does
    const { rows } = await tx.execute<{ last: string }>(sql`
      with batch as materialized (
        select id, size_group from products where id > (select after from cards_to_fill)
        order by id limit ${productsInBatch}
      ), written as materialized (
        select write_cards(array(
          select id from batch where size_group is null
          union all
          select sizes.id from batch join products as sizes using (size_group) where not exists (
            select from products as smaller where smaller.size_group = batch.size_group and smaller.id < batch.id)))
      )
      select id as last from batch, written order by id desc limit 1`);
    const [batch] = rows;
    if (batch) await tx.execute(sql`update cards_to_fill set after = ${batch.last}`);
    else await tx.execute(sql`delete from cards_to_fill`);
    return batch !== undefined;
  });
