import { sql } from 'drizzle-orm';
import type { ClientConfig } from 'pg';
import { openClient } from './openClient';
import { processLock, sumsLock } from './changeBus';
import { asOwner } from './lesserRole';
import type { Connection } from './transact';

/**
 * Whether a process of a release before this one is connected: its connection for changes listens as ours do, and does not
 * hold the lock that ours hold.
 * @param direct with the login that those processes use, since others are not shown what a connection does
 */
export async function isFormerConnected(direct: ClientConfig): Promise<boolean> {
  const client = await openClient(direct);
  try {
    await asOwner(client);
    const { rowCount } = await client.query(
      `select from pg_stat_activity a where datname = current_database() and query like 'listen "%'
         and not exists (select from pg_locks l where l.pid = a.pid and locktype = 'advisory' and objid = $1)`,
      [processLock],
    );
    return Boolean(rowCount);
  } finally {
    await client.end();
  }
}

/**
 * Whether a process is connected that would place orders without delivery, tax and discount. Everybody is shown who holds
 * which lock, so this needs no rights; what a connection listens to is seen of one's own login.
 */
export async function isReleaseBeforeSumsConnected(connection: Connection): Promise<boolean> {
  const { rowCount } = await connection.execute(sql`
    select from pg_database d where datname = current_database() and exists (
      select pid from pg_locks where database = d.oid and locktype = 'advisory' and objid = ${processLock}
      union select pid from pg_stat_activity where datid = d.oid and query like 'listen "%'
      except select pid from pg_locks where database = d.oid and locktype = 'advisory' and objid = ${sumsLock})`);
  return Boolean(rowCount);
}
