/**
 * A database of the release before orders had delivery, tax and discounts is migrated while shops of that release take
 * orders in it and have them paid. Rule: docs/rules/running.md, Database
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrateDatabase } from '../../../src/server/db/open';
import { connect } from '../../../src/server/db/transact';
import { presentOrder } from '../../../src/server/orders/present';
import { findOrder } from '../../../src/server/orders/repository';
import { findBreaches } from '../../support/books';
import { writeOrders } from '../../drill/manyOrders';
import { isNightly } from '../../support/nightly';
import { onServer, withDatabase } from '../../support/globalSetup';

const migrations = 'src/server/db/migrations';
const orders = Number(process.env['MIGRATED_ORDERS'] ?? (isNightly ? 10_000 : 300));
/** Four shops with this pause do about a hundred transactions a second. */
const betweenMs = 10;
const now = new Date('2026-03-02T10:00:00Z');
const name = `shop_before_${randomUUID().replaceAll('-', '')}`;
const server = inject('database').config;
const database = withDatabase(server, name);
let home: string;
let pool: Pool;

beforeAll(async () => {
  await onServer(server, `create database ${name}`);
  home = await mkdtemp(path.join(tmpdir(), 'shop-release-before-'));
  await cp(migrations, home, { recursive: true });
  const journalPath = path.join(home, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(journalPath, 'utf8')) as { entries: { tag: string }[] };
  const first = journal.entries.findIndex(({ tag }) => tag.endsWith('_order_totals'));
  await writeFile(journalPath, JSON.stringify({ ...journal, entries: journal.entries.slice(0, first) }));
  await migrateDatabase(database, home);
  pool = new Pool({ ...database, max: 8 });
  pool.on('error', () => undefined); // the database may end before its connections
  await pool.query(`insert into categories (id, name, description, created_at) values ($1, 'spices', '', $2)`, [
    category,
    now,
  ]);
  await pool.query(
    `insert into products (id, category_id, name, description, price_cents, availability, quantity, created_at)
     select gen_random_uuid(), $1, 'Spice ' || n, '', 100 + n, true, 0, $2 from generate_series(1, 40) as n`,
    [category, now],
  );
  await writeOrders(pool, orders, now);
}, 300_000);
afterAll(async () => {
  await pool.end();
  await onServer(server, `drop database if exists ${name} with (force)`);
  await rm(home, { recursive: true, force: true });
});
const category = randomUUID();

test(
  'a shop migrates while one of the release before takes orders, and none of them is lost',
  { timeout: 300_000 },
  async () => {
    const before = await countOrders();
    const migrated = { isOver: false };
    let placed = 0;
    const order = async () => {
      await asOrder();
      placed++;
      await asPayment();
    };
    const shops = Array.from({ length: 4 }, async (_, each) => {
      for (; !migrated.isOver; await pause(betweenMs)) await (each % 2 ? order : asRefund)();
    });
    await migrateDatabase(database, migrations);
    await order(); // the release before is still there, and goes on
    await asRefund();
    migrated.isOver = true;
    await Promise.all(shops);
    expect(await countOrders()).toBe(before + placed);
    const db = connect(pool);
    const { rows } = await pool.query<{ id: string; total_cents: number }>(
      `(select id, total_cents from orders order by created_at limit 5) union all
     (select id, total_cents from orders order by created_at desc limit 5)`,
    );
    for (const { id, total_cents: totalCents } of rows) {
      const order = await findOrder(db, id);
      expect(order && presentOrder(order, { userId: order.userId, role: 'ROLE_CUSTOMER' })).toMatchObject({
        goods: totalCents / 100,
        totalAmount: totalCents / 100,
        discount: null,
        delivery: null,
        tax: null,
      });
    }
    expect(await findBreaches({ pool, ledger: undefined })).toEqual([]);
  },
);

const countOrders = async () =>
  Number((await pool.query<{ count: string }>('select count(*) from orders')).rows[0]?.count);

const some = 'select id from products order by random() limit 2';

/** Cart, products, then the order: the locks of placing one. A victim of a deadlock is tried again, as the shop does. */
const asOrder = () =>
  inTransaction(async (client) => {
    const { rows } = await client.query<{ id: string; name: string; price_cents: number }>(
      `select id, name, price_cents from products where id in (${some}) order by id for no key update`,
    );
    const { rows: users } = await client.query<{ id: string }>(`select id from users order by random() limit 1`);
    const id = randomUUID();
    const total = rows.reduce((sum, { price_cents: cents }) => sum + cents, 0);
    await client.query(
      `insert into orders (id, order_number, user_id, cart_id, customer, street, city, state, postal_code, status,
         total_cents, content_hash, created_at)
       values ($1, 'T-' || nextval('order_numbers'), $2, $3, 'Awa Jallow', '12 Market Street', 'Atlanta', 'GA', '30303',
         'CANCELLED', $4, 'x', $5)`,
      [id, users[0]?.id, randomUUID(), total, now],
    );
    for (const [position, product] of rows.entries())
      await client.query(
        `insert into order_items (id, order_id, product_id, product_name, unit_price_cents, quantity, total_cents, position)
         values ($1, $2, $3, $4, $5, 1, $5, $6)`,
        [randomUUID(), id, product.id, product.name, product.price_cents, position],
      );
  });

/** An order that nobody else pays meanwhile. */
const asPayment = () =>
  inTransaction(async (client) => {
    await client.query(
      `update orders set paid_at = $1 where id = (
         select id from orders where paid_at is null and order_number like 'T-%' limit 1 for no key update skip locked)`,
      [now],
    );
  });

/** The order, then its products: the locks of a refund that puts units back. */
const asRefund = () =>
  inTransaction(async (client) => {
    await client.query(`select id from orders order by created_at limit 1 for no key update`);
    await client.query(`select id from products where id in (${some}) order by id for no key update`);
  });

async function inTransaction(work: (client: PoolClient) => Promise<void>): Promise<void> {
  for (;;) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await work(client);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if ((error as { code?: string }).code !== '40P01') throw error;
    } finally {
      client.release();
    }
  }
}
