import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditLog } from '../../../src/server/db/schema/tables';
import {
  buy,
  checkBooks,
  delivery,
  paidOrder,
  placedOrder,
  placeOrder,
  putInCart,
  quantityOf,
  shopperWith,
  statusOf,
} from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** What staff see of the goods that unpaid orders hold, and how they end a hold. */
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
beforeEach(async () => (admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Musa Camara' })));
afterEach(() => shop.control('deliveries', { mode: 'normal' }));
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const listed = async (query: { page?: number; size?: number } = { size: 100 }) =>
  (await shop.call('listHolds', { as: admin, query })).data.holds;
const holdOf = async ({ orderId }: { orderId: string }) =>
  (await listed()).content.find((hold) => hold.orderId === orderId);
const end = ({ orderId }: { orderId: string }) => shop.call('endHold', { as: admin, path: { orderId } });
const auditOf = (orderId: string) =>
  shop.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.targetId, orderId), eq(auditLog.action, 'order.hold_ended')));
const timeOf = (time: string | undefined) => Date.parse(time ?? '');

describe('the holds', () => {
  test('show who holds what share of which products, since when and until when', async () => {
    const [pepper, cumin] = [
      await shop.stock({ name: 'Pepper', quantity: 10 }),
      await shop.stock({ name: 'Cumin', quantity: 4 }),
    ];
    const ana = await shop.signIn({ fullName: 'Ana Holder', email: 'ana.holder@example.com' });
    await putInCart(shop, ana, pepper.id, 2);
    await putInCart(shop, ana, cumin.id, 3);
    const ben = await shopperWith(shop, 5, pepper);
    await placedOrder(shop, ben);
    const first = await placedOrder(shop, ana);
    const placedAt = timeOf((await holdOf(first))?.since);
    shop.clock.advance(5 * 60_000);
    const { data: newer } = await placeOrder(shop, ana, { ...delivery, customer: 'Ana' });
    expect(await holdOf(first)).toBeUndefined();
    const hold = await holdOf(newer);
    expect(hold).toEqual({
      orderId: newer.orderId,
      orderNumber: newer.orderNumber,
      userId: ana.userId,
      fullName: 'Ana Holder',
      email: 'ana.holder@example.com',
      hasPaid: false,
      totalAmount: 22.5,
      since: new Date(placedAt).toISOString(),
      until: new Date(placedAt + 31 * 60_000).toISOString(),
      isEnding: false,
      lines: [
        { productId: cumin.id, productName: 'Cumin', units: 3, stock: 4 },
        { productId: pepper.id, productName: 'Pepper', units: 2, stock: 10 },
      ],
    });
  });

  test('begin with those that leave least for others, and have pages', async () => {
    const shelf = await Promise.all(Array.from({ length: 4 }, () => shop.stock({ quantity: 4 })));
    const small = await placedOrder(shop, await shopperWith(shop, 1, ...shelf));
    const large = await placedOrder(shop, await shopperWith(shop, 3, ...shelf));
    const { content, totalElements } = await listed();
    const ids = content.map(({ orderId }) => orderId);
    expect(ids[0]).toBe(large.orderId);
    expect(ids).toContain(small.orderId);
    const pages = await Promise.all([listed({ page: 0, size: 1 }), listed({ page: 1, size: 1 })]);
    expect(pages.map(({ content: [hold] }) => hold?.orderId)).toEqual(ids.slice(0, 2));
    expect(pages[0]?.totalPages).toBe(totalElements);
  });

  test('are those of unpaid orders, and show whether the customer ever paid one', async () => {
    const paid = await paidOrder(shop);
    expect(await holdOf(paid)).toBeUndefined();
    await putInCart(shop, paid.as, (await shop.stock()).id);
    expect(await holdOf(await placedOrder(shop, paid.as))).toMatchObject({ hasPaid: true });
  });
});

describe('a hold that staff end', () => {
  test('ends at the provider first, restocks its goods, and is in the timeline and audit log', async () => {
    const pepper = await shop.stock({ quantity: 5 });
    const ana = await shopperWith(shop, 4, pepper);
    const order = await placedOrder(shop, ana);
    const until = (await holdOf(order))?.until;
    const ended = await end(order);
    expect(ended).toMatchObject({
      status: 200,
      message: 'Stock released. The order was canceled.',
      data: { orderId: order.orderId, orderStatus: 'CANCELLED' },
    });
    expect((await shop.payments.findSession(order.sessionId))?.status).toBe('expired');
    expect(await quantityOf(shop, pepper.id)).toBe(5);
    const { data } = await shop.call('getOrderForStaff', { as: admin, path: { orderId: order.orderId } });
    expect(data.orderResponse.timeline.at(-1)).toMatchObject({ status: 'CANCELLED', by: 'Musa Camara' });
    expect(await auditOf(order.orderId)).toMatchObject([
      { actorId: admin.userId, before: { heldUntil: until }, after: { heldUntil: expect.any(String) } },
    ]);
    const seen = await shop.call('getOrder', { as: ana, path: { orderId: order.orderId } });
    expect(seen.data.orderResponse.timeline.at(-1)).toMatchObject({ status: 'CANCELLED', by: null });
  });

  test('counts as unpaid: its customer must wait after the second', async () => {
    const ana = await shopperWith(shop, 4, await shop.stock({ quantity: 5 }));
    for (let times = 0; times < 2; times++) await end(await placedOrder(shop, ana));
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 429, code: 'order_again_later' });
  });

  test('after its payment is completed, and staff are told', async () => {
    const pepper = await shop.stock({ quantity: 5 });
    const order = await placedOrder(shop, await shopperWith(shop, 4, pepper));
    await shop.control('deliveries', { mode: 'drop' });
    await shop.control('pay', { session: order.sessionId });
    expect(await end(order)).toMatchObject({
      status: 200,
      message: "This order was just paid, so it wasn't canceled",
      data: { orderStatus: 'PAID' },
    });
    expect(await quantityOf(shop, pepper.id)).toBe(1);
    expect((await end(order)).data.orderStatus).toBe('PAID');
  });

  test('while the provider is down is ended by the sweeper as soon as it answers', async () => {
    const pepper = await shop.stock({ quantity: 5 });
    const order = await placedOrder(shop, await shopperWith(shop, 4, pepper));
    const ending = `POST /v1/checkout/sessions/${order.sessionId}/expire`;
    await shop.control('fault', { next: 2, kind: '503', on: ending }); // the SDK tries twice
    expect(await end(order)).toMatchObject({
      status: 200,
      message: 'The stock is released as soon as the payment provider responds',
      data: { orderStatus: 'PENDING_PAYMENT' },
    });
    expect(await quantityOf(shop, pepper.id)).toBe(1);
    expect(await holdOf(order)).toMatchObject({ isEnding: true });
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, order.orderId)).toBe('CANCELLED');
    expect(await quantityOf(shop, pepper.id)).toBe(5);
    expect(await auditOf(order.orderId)).toHaveLength(1);
  });

  test('twice at the same time ends once', async () => {
    const order = await placedOrder(shop, await shopperWith(shop, 4, await shop.stock({ quantity: 5 })));
    const answers = await Promise.all([end(order), end(order)]);
    expect(answers.map(({ data }) => data.orderStatus)).toEqual(['CANCELLED', 'CANCELLED']);
    expect(await auditOf(order.orderId)).toHaveLength(1);
  });

  test('twice, once by a process whose clock is behind, ends once', async () => {
    const order = await placedOrder(shop, await shopperWith(shop, 4, await shop.stock({ quantity: 5 })));
    const ending = `POST /v1/checkout/sessions/${order.sessionId}/expire`;
    await shop.control('fault', { next: 2, kind: '503', on: ending }); // the SDK tries twice
    expect((await end(order)).data.orderStatus).toBe('PENDING_PAYMENT');
    shop.clock.advance(-1_000);
    expect((await end(order)).data.orderStatus).toBe('CANCELLED');
    shop.clock.advance(1_000);
    expect(await auditOf(order.orderId)).toHaveLength(1);
  });

  test('while its customer pays has one outcome', async () => {
    for (let round = 0; round < 2; round++) {
      const pepper = await shop.stock({ quantity: 5 });
      const order = await placedOrder(shop, await shopperWith(shop, 4, pepper));
      const [ended] = await Promise.all([end(order), buy(shop, order, false).catch(() => undefined)]);
      await shop.jobs.sweepPayments();
      const isPaid = ended.data.orderStatus === 'PAID';
      expect(await statusOf(shop, order.orderId)).toBe(isPaid ? 'PAID' : 'CANCELLED');
      expect(await quantityOf(shop, pepper.id)).toBe(isPaid ? 1 : 5);
    }
  });
});
