import { Client, type ClientConfig } from 'pg';
import { processLock } from './changeBus';
import { asOwner } from './lesserRole';

/**
 * Whether a process of a release before this one is connected: its connection for changes listens as ours do, and does not
 * hold the lock that ours hold.
 * @param direct with the login that those processes use, since others are not shown what a connection does
 */
export async function isFormerConnected(direct: ClientConfig): Promise<boolean> {
  const client = new Client(direct);
  client.on('error', () => undefined); // the running query reports the error
  await client.connect();
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
