/** A shop whose database connection can be cut, delayed or silenced, for tests of storage that fails midway. */
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { Client } from 'pg';
import { inject } from 'vitest';
import { orders } from '../../src/server/db/schema/tables';
import { checkBooks } from './buying';
import { openOwnShop, type Person } from './shop';
import { openWire } from './databaseProxy';

export type FailingStorage = Awaited<ReturnType<typeof openFailingStorage>>;

export async function openFailingStorage() {
  const wire = await openWire(inject('database').config);
  const shop = await openOwnShop({ reach: (direct) => wire.reach(direct) });
  /** A second connection, beside the shop's. */
  const other = new Client(shop.direct);
  other.on('error', () => undefined);
  await other.connect();

  /** Runs `act` on the shop's connection that waits for our lock. The default simulates a crash of its backend. */
  async function onceWaiting(act = 'pg_terminate_backend(pid)'): Promise<void> {
    for (const end = Date.now() + 60_000; Date.now() < end; await pause(20)) {
      await other.query('select pg_stat_clear_snapshot()'); // otherwise a transaction would reuse its first snapshot of who waits
      const { rowCount } = await other.query(
        `select ${act} from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
      );
      if (rowCount) return;
    }
    throw new Error('nobody waited');
  }

  return {
    shop,
    other,
    wire,
    onceWaiting,
    ordersOf: (person: Person) => shop.db.select().from(orders).where(eq(orders.userId, person.userId)),
    buyerOf: async (quantity: number, units = 1) => {
      const person = await shop.signIn();
      const { id: productId } = await shop.stock({ quantity });
      const body = { productId, quantity: units };
      await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body });
      return { person, productId };
    },
    whileLocked: async <Answer>(table: string, id: string, work: () => Promise<Answer>): Promise<Answer> => {
      await other.query('begin');
      await other.query(`select 1 from ${table} where id = $1 for update`, [id]);
      const answer = work();
      await onceWaiting();
      await other.query('rollback');
      return answer;
    },
    async close() {
      await other.end();
      await checkBooks(shop);
      await shop.close();
      wire.close();
    },
  };
}
