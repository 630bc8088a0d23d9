import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBreaches } from '../../support/books';
import { buy, delivery, ledger, openOrder, paidOrder, placedOrder, shopperWith } from '../../support/buying';
import { collectTax, makeCode, offerDelivery } from '../../support/selling';
import { openOwnShop, type TestShop } from '../../support/shop';

/** Tests the checker of the books: an injected fault is found and named. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const brokenRules = async () =>
  (await findBreaches({ pool: shop.pool, ledger: await ledger(shop) })).map(({ rule }) => rule);
const run = (query: string, ...values: unknown[]) => shop.pool.query(query, values);

const stepsOf = async (orderId: string) =>
  (await run('select status from order_timeline where order_id = $1 order by id', orderId)).rows.map(
    ({ status }: { status: string }) => status,
  );

test('a correct shop has no broken rule', async () => {
  await paidOrder(shop, { quantity: 5 }, 2);
  await openOrder(shop);
  expect(await brokenRules()).toEqual([]);
});

test('an event that took effect twice is found', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  await run(`insert into order_timeline (order_id, status, at) values ($1, 'PAID', now())`, orderId);
  await run(
    `insert into mails (id, kind, about, recipient, order_id, state, created_at)
     select gen_random_uuid(), kind, about || ':again', recipient, order_id, state, created_at from mails where order_id = $1`,
    orderId,
  );
  expect(await brokenRules()).toEqual([
    'an order is paid once',
    'each event had at most one effect',
    'a paid order is confirmed by one mail',
    'every step of an order is legal',
  ]);
  await run(`delete from mails where order_id = $1 and about like '%:again'`, orderId);
  await run(`delete from order_timeline where id = (select max(id) from order_timeline where order_id = $1)`, orderId);
  expect(await brokenRules()).toEqual([]);
});

test('an event that canceled an order twice is found', async () => {
  const { orderId, sessionId } = await openOrder(shop);
  await shop.control('expire', { session: sessionId });
  await expect.poll(() => stepsOf(orderId)).toEqual(['PENDING_PAYMENT', 'CANCELLED']);
  expect(await brokenRules()).toEqual([]);
  await run(`insert into order_timeline (order_id, status, at) values ($1, 'CANCELLED', now())`, orderId);
  expect(await brokenRules()).toEqual(['each event had at most one effect', 'every step of an order is legal']);
  await run(`delete from order_timeline where id = (select max(id) from order_timeline where order_id = $1)`, orderId);
  expect(await brokenRules()).toEqual([]);
});

test('one surplus unit in stock is found, and a sold unit that did not exist', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  const ofOrder = `(select product_id from order_items where order_id = $1)`;
  await run(`update products set quantity = quantity + 1 where id = ${ofOrder}`, orderId);
  expect(await brokenRules()).toEqual(['the stock is the sum of its ledger']);
  await run(`update products set quantity = quantity - 1 where id = ${ofOrder}`, orderId);

  await run(`update stock_movements set held = held + 1 where kind = 'sale' and order_id = $1`, orderId);
  expect(await brokenRules()).toEqual([
    'what is held belongs to open orders',
    'what left the shop belongs to orders that were paid',
  ]);
  await run(`update stock_movements set held = held - 1 where kind = 'sale' and order_id = $1`, orderId);
  expect(await brokenRules()).toEqual([]);
});

test('a cent of difference is found, even where order, line and payment agree and only the provider knows', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  await run('update orders set total_cents = total_cents + 1 where id = $1', orderId);
  expect(await brokenRules()).toContain('an order is the sum of its lines');
  await run(
    `update order_items set quantity = 1, unit_price_cents = total_cents + 1, total_cents = total_cents + 1 where order_id = $1`,
    orderId,
  );
  await run('update payment_sessions set amount_cents = amount_cents + 1 where order_id = $1', orderId);
  const rules = await brokenRules();
  expect(rules).toContain('no order is paid without a paid session of its own, of the same amount');
  expect(rules).toContain('the payment page asks for what the order costs');
  expect(rules).not.toContain('an order is the sum of its lines');
  await run('update payment_sessions set amount_cents = amount_cents - 1 where order_id = $1', orderId);
  await run(
    `update order_items set quantity = 2, unit_price_cents = (total_cents - 1) / 2, total_cents = total_cents - 1 where order_id = $1`,
    orderId,
  );
  await run('update orders set total_cents = total_cents - 1 where id = $1', orderId);
  expect(await brokenRules()).toEqual([]);
});

test("an order that counts as paid by another order's payment is found", async () => {
  const [honest, thief] = [await paidOrder(shop, { quantity: 5 }, 2), await paidOrder(shop, { quantity: 5 }, 2)];
  const setSession = (orderId: string, sessionId: string) =>
    run('update payment_sessions set session_id = $2 where order_id = $1', orderId, sessionId);
  await setSession(honest.orderId, 'cs_test_gone');
  await setSession(thief.orderId, honest.sessionId);
  expect(await brokenRules()).toContain('no order is paid without a paid session of its own, of the same amount');
  await setSession(thief.orderId, thief.sessionId);
  await setSession(honest.orderId, honest.sessionId);
  expect(await brokenRules()).toEqual([]);
});

test('a lost order is found by its payment', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  for (const table of ['mails', 'payment_events', 'order_timeline', 'order_items', 'payment_sessions', 'holds'])
    await run(`delete from ${table} where order_id = $1`, orderId);
  await run('update stock_movements set order_id = null where order_id = $1', orderId);
  await run('delete from orders where id = $1', orderId);
  expect(await brokenRules()).toEqual([
    'what left the shop belongs to orders that were paid',
    'a paid session has its paid order of the same amount',
  ]);
});

test('a wrong total, a code used too often and a tax of another state are found', async () => {
  const code = await makeCode(shop, { maxUses: 2, maxUsesPerCustomer: 1 });
  await offerDelivery(shop, { priceCents: 595 });
  await collectTax(shop, 'GA', 40_000, true);
  const orderIds: string[] = [];
  for (let each = 0; each < 2; each++) {
    const as = await shopperWith(shop, 2, await shop.stock({ priceCents: 795, quantity: 5 }));
    const placed = await placedOrder(shop, as, { ...delivery, discountCode: code });
    await buy(shop, placed);
    orderIds.push(placed.orderId);
  }
  const [orderId, otherId] = orderIds;
  const before = await brokenRules();
  const found = async () => (await brokenRules()).filter((rule) => !before.includes(rule));
  const inTurn = async (change: string, back: string, rules: string[]) => {
    await run(change, orderId);
    expect(await found()).toEqual(rules);
    await run(back, orderId);
    expect(await found()).toEqual([]);
  };
  await inTurn(
    'update order_items set discount_cents = discount_cents - 1 where order_id = $1',
    'update order_items set discount_cents = discount_cents + 1 where order_id = $1',
    ['the shares of the lines add up to the discount and the tax'],
  );
  await inTurn(`update orders set tax_state = 'OH' where id = $1`, `update orders set tax_state = 'GA' where id = $1`, [
    "an order's tax is of the state that it goes to",
  ]);
  await inTurn(
    'update discounts set max_uses = 1 where id = (select discount_id from orders where id = $1)',
    'update discounts set max_uses = 2 where id = (select discount_id from orders where id = $1)',
    ['a discount code is used no more often than it may be'],
  );
  const { rows } = await run('select user_id from orders where id = $1', otherId);
  const [{ user_id: otherUser }] = rows as [{ user_id: string }];
  const owner = (await run('select user_id from orders where id = $1', orderId)).rows as [{ user_id: string }];
  await run('update orders set user_id = $2 where id = $1', orderId, otherUser);
  expect(await found()).toEqual(['no customer uses a discount code more often than one may']);
  await run('update orders set user_id = $2 where id = $1', orderId, owner[0].user_id);
});

test('a refund whose share is too large is found', async () => {
  await collectTax(shop, 'GA', 40_000);
  const as = await shopperWith(shop, 2, await shop.stock({ priceCents: 795, quantity: 5 }));
  const placed = await placedOrder(shop, as);
  await buy(shop, placed);
  const before = await brokenRules();
  const found = async () => (await brokenRules()).filter((rule) => !before.includes(rule));
  const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  const path = { orderId: placed.orderId };
  const [item] = (await shop.call('getOrder', { as: admin, path })).data.orderResponse.orderItems;
  const lines = [{ orderItemId: item?.orderItemId ?? '', quantity: 2, restock: true }];
  await shop.call('refundOrder', { as: admin, path, body: { reason: 'Asked for', lines, restock: false } });
  expect(await found()).toEqual([]);
  const change = async (by: number) => {
    await run('update refunds set tax_cents = tax_cents + $2 where order_id = $1', placed.orderId, by);
    await run(
      `update refund_lines set tax_cents = tax_cents + $2, goods_cents = goods_cents - $2, quantity = quantity + $2
       where refund_id = (select id from refunds where order_id = $1)`,
      placed.orderId,
      by,
    );
  };
  await change(1);
  expect(await found()).toEqual([
    'what came back of an order came once, with a refund that says so',
    'refunds give back no more goods, delivery and tax than an order had',
    'a line gives back no more units, goods and tax than it had',
    'no more shipped units are refunded than were shipped',
  ]);
  await change(-1);
  expect(await found()).toEqual([]);
});
