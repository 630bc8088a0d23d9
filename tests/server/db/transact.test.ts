import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client, type PoolClient } from 'pg';
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest';
import { openPool } from '../../../src/server/db/open';
import {
  connect,
  prepared,
  sendLast,
  statement,
  transact,
  type Tx,
  withLongTimeout,
} from '../../../src/server/db/core/transact';

/**
 * The shop relies on internals of Drizzle's transactions: after an upgrade these tests fail before anything else does.
 */
const pool = openPool({ ...inject('database').config, max: 1 });
afterAll(() => pool.end());
afterEach(() => void vi.restoreAllMocks());

function watchStatements() {
  const query = vi.spyOn(Client.prototype, 'query');
  return () =>
    query.mock.calls.map(([asked]: unknown[]) =>
      typeof asked === 'string' ? asked : (asked as { text: string }).text,
    );
}

test('a transaction begins, works and commits on one connection of the pool', async () => {
  const db = connect(pool);
  await db.execute(sql`select 1`);
  const statements = watchStatements();
  await transact(db, (tx) => tx.execute(sql`select 2`));
  expect(statements()).toEqual(['begin', 'select 2', 'commit']);
  expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
});

test('a failure is rolled back, and the connection is reused', async () => {
  const statements = watchStatements();
  const failing = transact(connect(pool), () => Promise.reject(new Error('of the work')));
  await expect(failing).rejects.toThrow('of the work');
  expect(statements()).toEqual(['begin', 'rollback']);
  expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
});

test('the work gets the transaction registered for its connection', async () => {
  await expect(withLongTimeout(connect(pool), (tx) => tx.execute(sql`select 1`))).resolves.toBeDefined();
  await expect(withLongTimeout(drizzle(pool), (tx) => tx.execute(sql`select 1`))).rejects.toThrow(
    'this must run on a connection from connect()',
  );
});

test('the last change is sent with the commit, and undoes all when it fails', async () => {
  const db = connect(pool);
  await db.execute(sql`create table if not exists last_changes (id int primary key)`);
  const insert = (id: number) => sql`insert into last_changes values (${id})`;
  const ids = async () => (await db.execute<{ id: number }>(sql`select id from last_changes order by id`)).rows;
  const insertLast = statement('last_change', 'insert into last_changes values ($1)');
  const asLast = (tx: Tx, id: number) => sendLast(tx, () => insertLast(tx, [id]));
  try {
    await transact(db, async (tx) => {
      await tx.execute(insert(1));
      asLast(tx, 2);
    });
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }]);
    const twice = transact(db, async (tx) => {
      await tx.execute(insert(3));
      asLast(tx, 2);
    });
    await expect(twice).rejects.toThrow('duplicate key');
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }]);
    await transact(db, (tx) => tx.execute(insert(4))); // nothing is left of the failed change
    expect(await ids()).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }]);
    expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
  } finally {
    await db.execute(sql`drop table last_changes`);
  }
});

test('a statement of a hot path is parsed once per connection, and each time without names', async () => {
  const one = statement<{ sum: number }>('sum_of_two', 'select $1::int + $2::int as sum');
  const names = async () => {
    const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements');
    return rows.map(({ name }) => name);
  };
  const plain = connect(pool);
  expect(await transact(plain, (tx) => one(tx, [1, 2]))).toEqual([{ sum: 3 }]);
  expect(await names()).toEqual([]);
  const keeping = connect(pool, { keepsStatements: true });
  const query = prepared('three', (connection) =>
    connection.select({ three: sql<number>`${sql.placeholder('n')}::int` }).from(sql`(values (1)) as v`),
  );
  for (const n of [3, 4]) {
    expect(await transact(keeping, (tx) => one(tx, [n, 2]))).toEqual([{ sum: n + 2 }]);
    expect(await transact(keeping, (tx) => query(tx).execute({ n }))).toEqual([{ three: n }]);
  }
  expect((await names()).toSorted()).toEqual(['sum_of_two', 'three']);
});

const cutAtBegin = () =>
  vi.spyOn(Client.prototype, 'query').mockImplementationOnce(() => {
    throw new Error('the connection was cut');
  });

test('a connection whose begin failed returns to the pool', async () => {
  cutAtBegin();
  await expect(transact(connect(pool), async () => 'never')).rejects.toThrow();
  expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
});

test('Drizzle alone would lose it: once it does not, connect needs no transaction of its own', async () => {
  const lent: PoolClient[] = [];
  pool.once('acquire', (client) => lent.push(client));
  cutAtBegin();
  await expect(drizzle(pool).transaction(async () => 'never')).rejects.toThrow();
  expect(pool).toMatchObject({ totalCount: 1, idleCount: 0 });
  lent.forEach((client) => client.release());
});
