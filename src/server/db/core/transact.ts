import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Channel, Tell } from './changeBus';
import { databaseErrorCode } from './errors';
import { sendTogether } from './pipelinedQueries';
import { waitLonger } from './socketTimeout';

export type Db = NodePgDatabase;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** A repository's connection, inside or outside a transaction. */
export type Connection = Db | Tx;

type Options = {
  /** Tells listeners which data a committed transaction changed. */
  tell?: Tell;
  /** Whether statements may be prepared under a name: not behind a PgBouncer, which switches connections. */
  keepsStatements?: boolean;
};

/**
 * Drizzle's own transaction never releases a connection whose `begin` failed: the pool would lose each broken connection
 * and could not be closed. So this function checks it out and releases it. `begin` is sent with the first statement, and
 * `commit` with the last statements whose results are not needed (`sendLast`): a round trip costs as much as a small
 * statement.
 */
export function connect(pool: pg.Pool, { tell = nobody, keepsStatements = false }: Options = {}): Db {
  const db = drizzle(pool);
  const connections = new WeakMap<pg.PoolClient, Tx>();
  const txOf = (client: pg.PoolClient): Tx => {
    const known = connections.get(client);
    if (known) return known;
    const tx = drizzle(client) as unknown as Tx; // lacks only transaction methods that are unused here
    connections.set(client, tx);
    clients.set(tx, client);
    if (keepsStatements) keeping.add(tx);
    return tx;
  };
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    let isSound = true;
    try {
      const tx = txOf(client);
      const begun = sendTogether(client, () => client.query(beginOf(config)));
      begun.catch(() => undefined); // the first statement fails with the same error
      try {
        const result = await work(tx);
        await begun;
        await commit(client, tx);
        return result;
      } catch (error) {
        isSound = await client.query('rollback').then(
          () => true,
          () => false,
        );
        throw error;
      } finally {
        lastOf.delete(tx);
      }
    } finally {
      client.release(!isSound);
    }
  };
  if (keepsStatements) keeping.add(db);
  pools.set(db, pool);
  checkOuts.set(db, async () => {
    const client = await pool.connect();
    return { client, connection: txOf(client) };
  });
  tellOf.set(db, tell);
  return db;
}

const nobody: Tell = () => undefined;
const tellOf = new WeakMap<Db, Tell>();
const clients = new WeakMap<Connection, pg.PoolClient>();
const pools = new WeakMap<Connection, pg.Pool>();
type CheckedOut = { client: pg.PoolClient; connection: Connection };
const checkOuts = new WeakMap<Connection, () => Promise<CheckedOut>>();
const keeping = new WeakSet<Connection>();

const beginOf = (config: Parameters<Db['transaction']>[1]): string =>
  ['begin', config?.isolationLevel && `isolation level ${config.isolationLevel}`, config?.accessMode]
    .filter(Boolean)
    .join(' ');

const lastOf = new WeakMap<Tx, (() => Promise<unknown>)[]>();

/** Sends a statement together with the commit. If it fails, the whole transaction is rolled back. */
export function sendLast(tx: Tx, send: () => Promise<unknown>): void {
  lastOf.set(tx, [...(lastOf.get(tx) ?? []), send]);
}

/** @throws Error also when the database answered a commit with a rollback */
async function commit(client: pg.PoolClient, tx: Tx): Promise<void> {
  const last = lastOf.get(tx) ?? [];
  const [{ command }] = await sendTogether(client, () => {
    const sent = last.map((send) => send());
    return Promise.all([client.query('commit'), ...sent]);
  });
  if (command !== 'COMMIT') throw new Error(`the database answered COMMIT with ${command}`);
}

/**
 * A prepared query for hot paths: built once per connection, and parsed and planned once where named statements are
 * supported. Its values are `sql.placeholder`s.
 * @param name unique per query
 */
export function prepared<Query>(
  name: string,
  build: (connection: Connection) => { prepare: (name: string) => Query },
): (connection: Connection) => Query {
  const made = new WeakMap<Connection, Query>();
  return (connection) => {
    const known = made.get(connection);
    if (known) return known;
    const query = build(connection).prepare(keeping.has(connection) ? name : '');
    made.set(connection, query);
    return query;
  };
}

/**
 * The same for plain SQL, which the query builder cannot express in one statement, or cannot send in time for `sendLast`.
 * @returns a function that sends it synchronously and resolves to the rows as the driver parses them: integers, dates, text
 */
export const statement =
  <Row extends pg.QueryResultRow>(name: string, text: string) =>
  (connection: Connection, values: unknown[]): Promise<Row[]> =>
    (pools.get(connection) ?? clientOf(connection))
      .query<Row>({ text, values, ...(keeping.has(connection) && { name }) })
      .then(({ rows }) => rows);

/**
 * Runs independent reads in one round trip, also outside a transaction. Each read still sees what was committed when it
 * started.
 */
export async function readTogether<const Reads extends readonly Promise<unknown>[]>(
  connection: Connection,
  ask: (connection: Connection) => Reads,
): Promise<{ -readonly [Index in keyof Reads]: Awaited<Reads[Index]> }> {
  const checkOut = checkOuts.get(connection);
  const held = checkOut ? await checkOut() : { client: clientOf(connection), connection };
  try {
    const reads = sendTogether(held.client, () => ask(held.connection));
    await Promise.allSettled(reads); // none may be in flight when the connection is released
    return await Promise.all(reads);
  } finally {
    if (checkOut) held.client.release();
  }
}

function clientOf(connection: Connection): pg.PoolClient {
  const client = clients.get(connection);
  if (!client) throw new Error('this must run on a connection from connect()');
  return client;
}

const longTimeoutMs = 30_000;

/**
 * Runs a transaction with a longer timeout than requests have (db/open.ts), for reads over the shop's whole history: the
 * figures of a period, all rows of a list.
 */
export function withLongTimeout<T>(db: Db, work: (tx: Tx) => Promise<T>, config?: Config): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(longTimeoutMs)}, true)`);
    return waitLonger(clientOf(tx), longTimeoutMs, () => work(tx));
  }, config);
}

type Config = Parameters<Db['transaction']>[1];

const waiting = new WeakMap<Tx, { steps: (() => void)[]; tell: Tell }>();
const deadlock = '40P01';
const maxTries = 3;

/**
 * Runs `work` in one transaction, then publishes the changes noted with `notifyAfterCommit`. Retries after a deadlock,
 * which rolls the transaction back completely.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const steps: (() => void)[] = [];
    try {
      const result = await db.transaction(async (tx) => {
        waiting.set(tx, { steps, tell: tellOf.get(db) ?? nobody });
        try {
          return await work(tx);
        } finally {
          waiting.delete(tx); // the connection's next transaction may not use transact
        }
      });
      for (const step of steps) step();
      return result;
    } catch (error) {
      if (databaseErrorCode(error) !== deadlock || attempt === maxTries) throw error;
    }
  }
}

/** Notifies this process's listeners on the change bus once `tx` is committed. */
export function notifyAfterCommit(tx: Tx, channel: Channel, message: string): void {
  const { tell } = requireWaiting(tx);
  afterCommit(tx, () => tell(channel, message));
}

/** Runs `step` once `tx` is committed. */
export function afterCommit(tx: Tx, step: () => void): void {
  requireWaiting(tx).steps.push(step);
}

function requireWaiting(tx: Tx) {
  const found = waiting.get(tx);
  if (!found) throw new Error('an after-commit step needs a transaction opened by transact()');
  return found;
}
