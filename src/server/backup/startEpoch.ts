/**
 * Tells devices that the shop was restored. A device continues the change feed from its position, and the restored
 * shop's positions could meanwhile stand for other changes. So the whole feed moves beyond every position that the former
 * shop can have reached, and its new beginning, the epoch, is stored: a device of before starts over.
 * Rule: docs/rules/running.md, Backup and restore
 */
import type { ClientBase } from 'pg';
import { epochName } from '../catalog/feed';
import { inPublic } from './tables';

/**
 * Runs in the transaction of the restore, without triggers. An epoch is 2^20 times the seconds of the clock, since no
 * shop changes its catalog a million times per second, and at least 2^32 beyond the backup, since clocks may be wrong.
 */
export async function startEpoch(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ epoch: string; by: string }>(
    `with former as (
       select position, coalesce((select (value #>> '{}')::bigint from settings where name = $1), 0) as epoch
       from catalog_cursor
     ), next as (
       select greatest(floor(extract(epoch from clock_timestamp()))::bigint << 20, position + (1::bigint << 32)) as epoch
       from former
     )
     select next.epoch, next.epoch - former.epoch as by from former, next`,
    [epochName],
  );
  const [next] = rows;
  if (!next) throw new Error('catalog_cursor is empty');
  for (const table of ['products', 'categories', 'removed_categories'])
    await client.query(`update ${inPublic(table)} set change_cursor = change_cursor + $1`, [next.by]);
  await client.query('update catalog_cursor set position = position + $1', [next.by]);
  await client.query(
    `insert into settings (name, value) values ($1, to_jsonb($2::bigint))
     on conflict (name) do update set value = excluded.value`,
    [epochName, next.epoch],
  );
}
