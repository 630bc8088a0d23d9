import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notKept } from '../../../src/server/audit/service';
import { generateOrders, rowsOf } from '../../support/backOffice';
import { buy, openOrder, paidOrder, placedOrder, putInCart } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER', fullName: 'Isatou Jallow' });
  admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Musa Camara' });
});
afterAll(() => shop.close());

const read = (id: string) => shop.call('getCustomerSummary', { as: admin, path: { id } });
const summaryOf = async (id: string) => (await read(id)).data.summary;
const tagsOf = async (id: string) => (await summaryOf(id)).tags;
const setTags = (id: string, tags: string[], { as = admin, seen }: { as?: Person; seen?: string[] } = {}) =>
  shop.call('setCustomerTags', { as, path: { id }, body: { tags, ...(seen && { seen }) } });
const addNote = (id: string, text: string, { as = admin, key }: { as?: Person; key?: string } = {}) =>
  shop.call('addCustomerNote', { as, path: { id }, body: { text }, ...(key && { key }) });
const auditOf = async (id: string) =>
  (await shop.pool.query(`select action, before, after from audit_log where target_id = $1 order by id`, [id])).rows;

describe('what a customer bought', () => {
  test('is nothing before the first paid order', async () => {
    const { userId } = await shop.signIn();
    const nothing = { orders: 0, toShip: 0, spent: 0, firstOrderAt: null, lastOrderAt: null, tags: [], notes: [] };
    expect(await summaryOf(userId)).toEqual(nothing);
    const { as } = await openOrder(shop);
    expect(await summaryOf(as.userId)).toEqual(nothing);
    expect(await read(randomUUID())).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  test('is in the list of users and its file, the same as on the page of each', async () => {
    const fullName = `Figures ${randomUUID()}`;
    const [one, none] = [await paidOrder(shop, { priceCents: 500 }, 2, { fullName }), await shop.signIn({ fullName })];
    await putInCart(shop, one.as, (await shop.stock({ priceCents: 250 })).id, 1);
    await buy(shop, await placedOrder(shop, one.as));
    const path = { orderId: one.orderId };
    await shop.call('refundOrder', { as: owner, path, body: { amount: 1.25, reason: 'Lid', restock: false } });
    const query = { q: fullName, sort: 'createdAt' as const, direction: 'asc' as const };
    const { content } = (await shop.call('listUsers', { as: admin, query })).data.users;
    expect(content.map(({ id, orders, spent }) => ({ id, orders, spent }))).toEqual(
      await Promise.all(
        [one.as, none].map(async ({ userId: id }) => {
          const { orders, spent } = await summaryOf(id);
          return { id, orders, spent };
        }),
      ),
    );
    expect(content.map(({ orders }) => orders)).toEqual([2, 0]);
    const headers = { authorization: `Bearer ${admin.token}` };
    const { body } = await shop.app.inject({ url: '/api/admin/users/export', query, headers });
    expect(rowsOf(body).map((row) => [row['Orders'], Number(row['Spent'])])).toEqual(
      content.map(({ orders, spent }) => [String(orders), spent]),
    );
  });

  test('is the total of the paid orders less the refunds, and counts a refunded order', async () => {
    const { as, orderId } = await paidOrder(shop, { quantity: 5, priceCents: 500 }, 2);
    const { userId } = as;
    const { orderResponse } = (await shop.call('getOrder', { as, path: { orderId } })).data;
    const { totalAmount, createdAt } = orderResponse;
    expect(await summaryOf(userId)).toMatchObject({
      orders: 1,
      toShip: 1,
      spent: totalAmount,
      firstOrderAt: createdAt,
      lastOrderAt: createdAt,
    });
    const refund = (amount: number | undefined) =>
      shop.call('refundOrder', {
        as: owner,
        path: { orderId },
        body: { reason: 'Broken lid', restock: false, ...(amount !== undefined && { amount }) },
      });
    expect((await refund(1.25)).status).toBe(200);
    expect((await summaryOf(userId)).toShip).toBe(1);
    expect((await summaryOf(userId)).spent).toBe((Math.round(totalAmount * 100) - 125) / 100);
    await refund(undefined);
    expect(await summaryOf(userId)).toMatchObject({ orders: 1, toShip: 0, spent: 0, lastOrderAt: createdAt });
  });

  test('has as many orders to ship as the list of orders', async () => {
    const { as, orderId } = await paidOrder(shop, { quantity: 5, priceCents: 500 }, 2);
    const count = async () => {
      const query = { toShip: true, customer: as.userId };
      const { totalElements } = (await shop.call('listOrders', { as: admin, query })).data.orders;
      expect((await summaryOf(as.userId)).toShip).toBe(totalElements);
      return totalElements;
    };
    expect(await count()).toBe(1);
    // still paid, but its units are all in stock again
    const body = { reason: 'Never picked', amount: 1, restock: true };
    await shop.call('refundOrder', { as: owner, path: { orderId }, body });
    expect(await count()).toBe(0);
  });

  test('adds up to the dashboard’s Sales and Revenue, also for a customer with 1,000 orders', async () => {
    const now = shop.clock.now();
    const buyers = [await generateOrders(shop.pool, 1000, now, 'many'), await generateOrders(shop.pool, 7, now, 'few')];
    await shop.pool.query(`update orders set refunded_cents = total_cents where status = 'REFUNDED'`);
    const { rows } = await shop.pool.query<{ id: string }>('select distinct user_id as id from orders');
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(buyers));
    const summaries = await Promise.all(rows.map(({ id }) => summaryOf(id)));
    const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
    const query = { period: 'custom', from: day(400), to: day(-1) };
    const { dashboard } = (await shop.call('getDashboard', { as: owner, query })).data;
    const sum = (of: (summary: (typeof summaries)[number]) => number) =>
      summaries.reduce((total, summary) => total + of(summary), 0);
    expect(sum(({ orders }) => orders)).toBe(dashboard.sales);
    expect(sum(({ spent }) => Math.round(spent * 100))).toBe(Math.round(dashboard.revenue * 100));
    const [many, few] = [await read(buyers[0] ?? ''), await read(buyers[1] ?? '')];
    expect(many.data.summary.orders).toBeGreaterThan(800);
    expect(many.statements).toBe(few.statements);
    const orders = await shop.call('listOrders', { as: admin, query: { customer: buyers[0], size: 5 } });
    expect(orders.data.orders.totalElements).toBe(1000);
    expect(orders.data.orders.content[0]?.createdAt).toBe(
      [...orders.data.orders.content]
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .at(-1),
    );
  });
});

describe('notes on a customer', () => {
  test('say who wrote them and when, newest first, and are written once for one key', async () => {
    const { userId, ...ana } = await shop.signIn();
    const key = randomUUID();
    expect(await addNote(userId, '  Runs a supper club ', { key })).toMatchObject({
      status: 201,
      message: 'Note added',
    });
    await addNote(userId, '  Runs a supper club ', { key });
    shop.clock.advance(60_000);
    await addNote(userId, 'Called back', { as: owner });
    const { notes } = await summaryOf(userId);
    expect(notes).toMatchObject([
      { text: 'Called back', by: 'Isatou Jallow' },
      { text: 'Runs a supper club', by: 'Musa Camara' },
    ]);
    const [second = 0, first = 0] = notes.map(({ at }) => Date.parse(at));
    expect(second - first).toBeGreaterThanOrEqual(60_000);
    const own = await shop.call('getUser', { as: { userId, ...ana }, path: { userId } });
    expect(JSON.stringify(own.body)).not.toContain('supper club');
    expect(await auditOf(userId)).toEqual(
      [1, 2].map(() => ({ action: 'user.note_added', before: null, after: { text: notKept } })),
    );
  });

  test.each([
    [' ', 'Enter a note'],
    ['x'.repeat(2001), 'Use 2000 characters or fewer'],
    ['4242 4242 4242 4242', "Don't enter a card number here"],
  ])('are not %j', async (text, message) => {
    const { userId } = await shop.signIn();
    expect(await addNote(userId, text)).toMatchObject({ status: 400, errors: [{ field: 'text', message }] });
  });

  test('keep their author’s name after the author has left', async () => {
    const [{ userId }, kebba] = [
      await shop.signIn(),
      await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Kebba Touray' }),
    ];
    await addNote(userId, 'Rings twice', { as: kebba });
    await shop.call('updateUserEnabled', { as: owner, path: { userId: kebba.userId }, body: { isEnabled: false } });
    expect((await summaryOf(userId)).notes).toMatchObject([{ by: 'Kebba Touray' }]);
    await expect(shop.pool.query('delete from users where id = $1', [kebba.userId])).rejects.toThrow('foreign key');
  });

  test('are deleted with the account, and so are its tags', async () => {
    const { userId } = await shop.signIn();
    await addNote(userId, 'Runs a supper club');
    await setTags(userId, ['supper club']);
    await shop.pool.query('delete from users where id = $1', [userId]);
    const { rows } = await shop.pool.query(
      'select user_id from customer_notes where user_id = $1 union all select user_id from customer_tags where user_id = $1',
      [userId],
    );
    expect(rows).toEqual([]);
  });
});

describe('tags of a customer', () => {
  test('are trimmed, kept once in any case, and listed in alphabetical order', async () => {
    const { userId } = await shop.signIn();
    const answer = await setTags(userId, [' supper   club ', 'No peanuts', 'SUPPER CLUB', ' ']);
    expect(answer).toMatchObject({ status: 200, message: 'Tags saved' });
    expect(answer.data.summary.tags).toEqual(['No peanuts', 'supper club']);
    await setTags(userId, ['Supper Club']);
    expect(await tagsOf(userId)).toEqual(['supper club']);
    await setTags(userId, []);
    expect(await tagsOf(userId)).toEqual([]);
    await setTags(userId, []);
    const facts = { before: { tags: notKept }, after: { tags: notKept } };
    expect(await auditOf(userId)).toEqual([1, 2, 3].map(() => ({ action: 'user.tags_changed', ...facts })));
  });

  test('that two staff members change at the same time are all kept', async () => {
    const { userId } = await shop.signIn();
    await setTags(userId, ['wholesale', 'late payer']);
    const seen = await tagsOf(userId);
    await Promise.all([
      setTags(userId, [...seen, 'supper club'], { seen }),
      setTags(userId, ['wholesale', 'no peanuts'], { as: owner, seen }),
    ]);
    expect(await tagsOf(userId)).toEqual(['no peanuts', 'supper club', 'wholesale']);
  });

  test('are at most 20, also when two staff members add them', async () => {
    const { userId } = await shop.signIn();
    const some = (count: number) => Array.from({ length: count }, (_, place) => `tag ${place}`);
    const message = 'A customer can have up to 20 tags. Remove one first.';
    expect(await setTags(userId, some(21))).toMatchObject({ status: 400, errors: [{ field: 'tags', message }] });
    expect((await setTags(userId, some(20))).status).toBe(200);
    const tooMany = await setTags(userId, ['one more'], { seen: [] });
    expect(tooMany).toMatchObject({ status: 409, code: 'too_many_tags', message });
    expect(await tagsOf(userId)).toHaveLength(20);
    expect(await setTags(userId, ['x'.repeat(31)])).toMatchObject({
      status: 400,
      errors: [{ message: 'Use 30 characters or fewer' }],
    });
    expect((await setTags(userId, ['x'.repeat(30)])).status).toBe(200);
  });

  test('are offered, the most common first, and find their customers in any case', async () => {
    const [ana, ben, eve] = [await shop.signIn(), await shop.signIn(), await shop.signIn()];
    await setTags(ana.userId, ['Chef', 'vegan']);
    await setTags(ben.userId, ['chef']);
    await setTags(eve.userId, ['Baker', 'no nuts']);
    const { tags } = (await shop.call('listCustomerTags', { as: admin })).data;
    const ours = tags.filter(({ value }) => /chef|vegan|baker/i.test(value));
    expect(ours).toEqual([
      { value: expect.stringMatching(/^chef$/i), customers: 2 },
      { value: 'Baker', customers: 1 },
      { value: 'vegan', customers: 1 },
    ]);
    const listed = async (tag: string) => {
      const { users } = (await shop.call('listUsers', { as: admin, query: { tag } })).data;
      expect(users.totalElements).toBe(users.content.length);
      return users.content.map(({ id }) => id).toSorted();
    };
    expect(await listed(' CHEF')).toEqual([ana.userId, ben.userId].toSorted());
    expect(await listed('No  nuts')).toEqual([eve.userId]);
  });
});
