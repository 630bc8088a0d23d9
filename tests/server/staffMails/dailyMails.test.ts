/** The daily emails to staff, about orders and about low stock. */
import { sql } from 'drizzle-orm';
import { afterEach, afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { dailyMailOrders, products } from '../../../src/server/db/schema/tables';
import { writeMail } from '../../../src/server/mail/outbox';
import { paidOrder, until } from '../../support/buying';
import { runDueJobs } from '../../support/mails';
import type { TestShop } from '../../support/shop';
import { openShopWithStaff } from '../../support/staffMails';

const dayMs = 86_400_000;

let staff: Awaited<ReturnType<typeof openShopWithStaff>>;
let shop: TestShop;
beforeAll(async () => {
  staff = await openShopWithStaff();
  ({ shop } = staff);
});
afterEach(() => staff.tidy());
afterAll(() => staff.close());

describe('the daily email about orders', () => {
  test('comes once at eight, lists the orders since the last one, and not when there are none', async () => {
    await staff.setServer();
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    const daily = await staff.staffWith({ newOrder: 'daily' });
    const [one, two] = [await paidOrder(shop, { priceCents: 450 }), await paidOrder(shop, { priceCents: 1000 })];
    await shop.jobs.writeDailyMails();
    expect(await staff.mailsTo(daily, 'daily_orders')).toEqual([]);
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    await shop.jobs.writeDailyMails();
    await runDueJobs(shop);
    const [words, ...more] = staff.receivedBy(daily);
    expect(more).toEqual([]);
    for (const fact of [
      'Subject: 2 new orders, $14.50',
      `#${one.orderNumber} Example Customer  $4.50\n#${two.orderNumber} Example Customer  $10.00\nTotal  $14.50`,
      'View orders: http://localhost:3000/ordered/products',
    ])
      expect(words).toContain(fact);
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    expect(await staff.mailsTo(daily, 'daily_orders')).toHaveLength(1);
    const third = await paidOrder(shop);
    shop.clock.advance(3 * dayMs); // no process ran for days
    await shop.jobs.writeDailyMails();
    await runDueJobs(shop);
    expect(staff.receivedBy(daily)).toHaveLength(2);
    expect(staff.receivedBy(daily)[1]).toContain(`#${third.orderNumber} Example Customer`);
  });

  test('counts the orders that it does not list', async () => {
    await staff.setServer();
    const daily = await staff.staffWith({ newOrder: 'daily' });
    const { orderId } = await paidOrder(shop, { priceCents: 450 });
    const facts = { orderIds: [orderId], orders: 1201, totalCents: 540_450 };
    const fields = { kind: 'daily_orders' as const, recipient: daily.email, userId: daily.userId, facts };
    await transact(shop.db, (tx) =>
      writeMail(tx, { ...fields, about: `daily_orders:${orderId}`, now: shop.clock.now() }),
    );
    await runDueJobs(shop);
    const words = staff.receivedBy(daily)[0];
    for (const fact of ['Subject: 1,201 new orders, $5,404.50', '1,200 more orders  $5,400.00', 'Total  $5,404.50'])
      expect(words).toContain(fact);
  });

  test('is written once by processes that run at once', async () => {
    await staff.setServer();
    const daily = await staff.staffWith({ newOrder: 'daily' });
    const orders = [await paidOrder(shop), await paidOrder(shop)];
    staff.moveToMorning();
    await Promise.all(Array.from({ length: 8 }, () => shop.jobs.writeDailyMails()));
    const orderIds: unknown = expect.arrayContaining(orders.map(({ orderId }) => orderId));
    expect(await staff.mailsTo(daily, 'daily_orders')).toMatchObject([{ facts: { orders: 2, orderIds } }]);
  });

  test('that was killed while it was written is written by the next process, whole', async () => {
    await staff.setServer();
    const [one, two] = [await staff.staffWith({ newOrder: 'daily' }), await staff.staffWith({ newOrder: 'daily' })];
    await paidOrder(shop);
    staff.moveToMorning();
    const blocker = await shop.pool.connect();
    await blocker.query('begin; lock table mails in share mode');
    const killed = shop.jobs.writeDailyMails().then(
      () => 'done',
      () => 'killed',
    );
    await until(async () => {
      const { rows } = await shop.pool.query<{ killed: boolean }>(
        `select pg_terminate_backend(pid) as killed from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query ilike '%insert into "mails"%'`,
      );
      expect(rows).toEqual([{ killed: true }]);
    });
    await blocker.query('rollback');
    blocker.release();
    expect(await killed).toBe('killed');
    for (const person of [one, two]) expect(await staff.mailsTo(person, 'daily_orders')).toEqual([]);
    await shop.jobs.writeDailyMails();
    for (const person of [one, two])
      expect(await staff.mailsTo(person, 'daily_orders')).toMatchObject([{ facts: { orders: 1 } }]);
  });

  test('of the next day has an order whose payment was settled while it was written', async () => {
    await staff.setServer();
    const daily = await staff.staffWith({ newOrder: 'daily' });
    const { orderId } = await paidOrder(shop);
    await shop.db.delete(dailyMailOrders);
    staff.moveToMorning();
    const settling = await shop.pool.connect();
    await settling.query('begin');
    await settling.query('insert into daily_mail_orders (user_id, order_id) values ($1, $2)', [daily.userId, orderId]);
    await shop.jobs.writeDailyMails();
    await settling.query('commit');
    settling.release();
    expect(await staff.mailsTo(daily, 'daily_orders')).toEqual([]);
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    expect(await staff.mailsTo(daily, 'daily_orders')).toMatchObject([{ facts: { orderIds: [orderId] } }]);
  });

  test('still has the waiting orders after a change to one email for each, and none after turning it off', async () => {
    await staff.setServer();
    const [one, two] = [await staff.staffWith({ newOrder: 'daily' }), await staff.staffWith({ newOrder: 'daily' })];
    await paidOrder(shop);
    await staff.choose(one, { newOrder: 'each' });
    await staff.choose(two, { newOrder: 'off' });
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    expect(await staff.mailsTo(one, 'daily_orders')).toHaveLength(1);
    expect(await staff.mailsTo(two, 'daily_orders')).toEqual([]);
  });
});

describe('the daily email about low stock', () => {
  const clearShelves = () => shop.db.update(products).set({ archivedAt: shop.clock.now() });

  test('comes once a day while something is low, and names it', async () => {
    await staff.setServer();
    await clearShelves();
    const person = await staff.staffWith({ lowStock: true });
    await shop.stock({ name: 'Cinnamon', quantity: 11 });
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    await shop.stock({ name: 'Cloves', quantity: 2 });
    await shop.stock({ name: 'Mace', quantity: 0 });
    await shop.jobs.writeDailyMails();
    expect(await staff.mailsTo(person, 'low_stock')).toEqual([]);
    staff.moveToMorning();
    await Promise.all([shop.jobs.writeDailyMails(), shop.jobs.writeDailyMails()]);
    await runDueJobs(shop);
    const [words, ...more] = staff.receivedBy(person);
    expect(more).toEqual([]);
    for (const fact of [
      'Subject: 2 products are low on stock',
      '2 products have 10 or fewer in stock.',
      'Mace  0\nCloves  2\nUnits in stock  2',
      'View products: http://localhost:3000/products?lowStock=true',
    ])
      expect(words).toContain(fact);
    expect(words).not.toContain('Cinnamon');
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    expect(await staff.mailsTo(person, 'low_stock')).toHaveLength(2);
    await shop.db
      .update(products)
      .set({ quantity: 50 })
      .where(sql`${products.quantity} < 50`);
    await runDueJobs(shop); // restocked before it was sent
    expect(staff.receivedBy(person)).toHaveLength(1);
  });

  test('is not written without a mail server', async () => {
    const person = await staff.staffWith({ lowStock: true });
    await shop.stock({ quantity: 1 });
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    expect(await staff.mailsTo(person, 'low_stock')).toEqual([]);
  });
});
