import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client, type PoolClient } from 'pg';
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest';
import { openPool } from '../../../src/server/db/open';
import { connect, transact, unhurried } from '../../../src/server/db/transact';

/** What the shop knows of Drizzle's transactions: after an upgrade these tests fail before anything else does. */
const pool = openPool({ ...inject('database').config, max: 1 });
afterAll(() => pool.end());
afterEach(() => void vi.restoreAllMocks());

function watchStatements() {
  const query = vi.spyOn(Client.prototype, 'query');
  return () => query.mock.calls.map(([asked]: unknown[]) => (asked as { text: string }).text);
}

test('a transaction begins, works and commits on one connection of the pool', async () => {
  const db = connect(pool);
  await db.execute(sql`select 1`);
  const statements = watchStatements();
  await transact(db, (tx) => tx.execute(sql`select 2`));
  expect(statements()).toEqual(['begin', 'select 2', 'commit']);
  expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
});

test('what fails is rolled back, and the connection is used again', async () => {
  const statements = watchStatements();
  const failing = transact(connect(pool), () => Promise.reject(new Error('of the work')));
  await expect(failing).rejects.toThrow('of the work');
  expect(statements()).toEqual(['begin', 'rollback']);
  expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
});

test('the work has the transaction that its connection is remembered by', async () => {
  await expect(unhurried(connect(pool), (tx) => tx.execute(sql`select 1`))).resolves.toBeDefined();
  await expect(unhurried(drizzle(pool), (tx) => tx.execute(sql`select 1`))).rejects.toThrow(
    'unhurried needs a database of connect',
  );
});

const cutAtBegin = () =>
  vi.spyOn(Client.prototype, 'query').mockImplementationOnce(() => {
    throw new Error('the connection was cut');
  });

test('a connection whose begin failed goes back to the pool', async () => {
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
