import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { alarms } from '../../../src/server/db/schema/tables';
import {
  buy,
  checkBooks,
  delivery,
  placedOrder,
  placeOrder,
  putInCart,
  quantityOf,
  shopperWith,
  statusOf,
} from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** How long unpaid orders hold goods, and who may hold some again when. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterEach(() => shop.control('deliveries', { mode: 'normal' }));
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const pass = (minutes: number) => shop.clock.advance(minutes * 60_000);
const providerHas = async (sessionId: string) => (await shop.payments.findSession(sessionId))?.status;

/** The same cart to another name is another order. */
let others = 0;
const replaced = async (person: Person) => {
  const placed = await placeOrder(shop, await shop.again(person), { ...delivery, customer: `Example ${++others}` });
  expect(placed.status).toBe(201);
  const sessionId = /cs_test_\w+/.exec(placed.data.paymentUrl)?.[0] ?? '';
  return { ...placed.data, sessionId };
};

describe('an order that replaces another', () => {
  test('holds its goods no longer than the first would have, and then nobody can pay it', async () => {
    const pepper = await shop.stock({ quantity: 5 });
    const ana = await shopperWith(shop, 3, pepper);
    await placedOrder(shop, ana);
    pass(20);
    const newer = await replaced(ana);
    pass(10);
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, newer.orderId)).toBe('PENDING_PAYMENT');
    pass(1);
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, newer.orderId)).toBe('CANCELLED');
    expect(await quantityOf(shop, pepper.id)).toBe(5);
    expect(await providerHas(newer.sessionId)).toBe('expired');
  });

  test('inherits the hold even when an event of the provider canceled the first sooner', async () => {
    const ana = await shopperWith(shop, 3, await shop.stock({ quantity: 5 }));
    const first = await placedOrder(shop, ana);
    await shop.control('expire', { session: first.sessionId });
    await expect.poll(() => statusOf(shop, first.orderId), { timeout: 60_000 }).toBe('CANCELLED');
    pass(20);
    const newer = await replaced(ana);
    pass(12);
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, newer.orderId)).toBe('CANCELLED');
  });

  test('late gets ten minutes, but only once', async () => {
    const ana = await shopperWith(shop, 3, await shop.stock({ quantity: 5 }));
    await placedOrder(shop, ana);
    pass(25);
    await replaced(ana);
    pass(9);
    const last = await replaced(ana);
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, last.orderId)).toBe('PENDING_PAYMENT');
    pass(2);
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, last.orderId)).toBe('CANCELLED');
  });

  test('that was paid at the last moment completes that one instead of canceling it', async () => {
    const pepper = await shop.stock({ quantity: 5 });
    const ana = await shopperWith(shop, 3, pepper);
    await placedOrder(shop, ana);
    pass(15);
    const newer = await replaced(ana);
    pass(17);
    await shop.control('deliveries', { mode: 'drop' });
    await shop.control('pay', { session: newer.sessionId });
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, newer.orderId)).toBe('PAID');
    expect(await quantityOf(shop, pepper.id)).toBe(2);
  });

  test('keeps its goods while the provider cannot be asked to end its payment', async () => {
    const pepper = await shop.stock({ quantity: 5 });
    const ana = await shopperWith(shop, 3, pepper);
    await placedOrder(shop, ana);
    pass(15);
    const newer = await replaced(ana);
    pass(17);
    const ending = `POST /v1/checkout/sessions/${newer.sessionId}/expire`;
    await shop.control('fault', { next: 2, kind: '503', on: ending }); // the SDK tries twice
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, newer.orderId)).toBe('PENDING_PAYMENT');
    expect(await quantityOf(shop, pepper.id)).toBe(2);
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, newer.orderId)).toBe('CANCELLED');
  });

  test('is not held longer when its page could only be opened late', async () => {
    const ana = await shopperWith(shop, 3, await shop.stock({ quantity: 5 }));
    await placedOrder(shop, ana);
    pass(10);
    const opening = 'POST /v1/checkout/sessions';
    await shop.control('fault', { next: 2, kind: '503', on: opening });
    const again = await shop.again(ana);
    const lost = await placeOrder(shop, again, { ...delivery, customer: 'Example 0' });
    expect(lost.status).toBe(502);
    pass(5);
    const found = await placeOrder(shop, again, { ...delivery, customer: 'Example 0' });
    expect(found.status).toBe(201);
    pass(17);
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, found.data.orderId)).toBe('CANCELLED');
  });
});

describe('after holds that ended unpaid', () => {
  /** A customer with this many unpaid ends, the last one this minute. */
  async function unpaid(times: number, product: { quantity?: number } = {}): Promise<Person> {
    const ana = await shopperWith(shop, 2, await shop.stock({ quantity: 5, ...product }));
    await placedOrder(shop, ana);
    pass(31);
    const waits = [0, 5, 15, 60];
    for (let ended = 1; ended < times; ended++) {
      pass(waits[Math.min(ended, 4) - 1] ?? 0);
      await placedOrder(shop, await shop.again(ana));
      pass(31);
    }
    return shop.again(ana);
  }

  test('in a row the customer waits 0, 5, 15, 60 and 60 minutes', async () => {
    const ana = await shopperWith(shop, 2, await shop.stock({ quantity: 5 }));
    await placedOrder(shop, ana);
    for (const minutes of [0, 5, 15, 60, 60]) {
      pass(31);
      if (minutes > 0) {
        pass(minutes - 1);
        const refused = await placeOrder(shop, await shop.again(ana));
        expect(refused, `${minutes} minutes`).toMatchObject({
          status: 429,
          code: 'order_again_later',
          message:
            "Your recent orders weren't paid, so their items went back in stock. You can order again in a minute. Your cart is saved.",
        });
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
        expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
        pass(1);
      }
      expect((await placeOrder(shop, await shop.again(ana))).status, `${minutes} minutes`).toBe(201);
    }
  });

  test('the goods are free again, and the cart is unchanged', async () => {
    const ana = await unpaid(2);
    expect((await placeOrder(shop, ana)).status).toBe(429);
    const cart = await shop.call('getCart', { as: ana, path: { userId: ana.userId } });
    expect(cart.data.cartResponse.cartItems).toMatchObject([{ quantity: 2, stock: 5, notice: null }]);
  });

  test('a paid order resets the wait', async () => {
    const ana = await unpaid(3);
    pass(15);
    await buy(shop, await placedOrder(shop, await shop.again(ana)));
    const again = await shop.again(ana);
    await putInCart(shop, again, (await shop.stock()).id);
    await placedOrder(shop, again);
    pass(31);
    expect((await placeOrder(shop, await shop.again(ana))).status).toBe(201);
  });

  test('a day resets the wait', async () => {
    const ana = await unpaid(4);
    pass(24 * 60);
    await placedOrder(shop, await shop.again(ana));
    pass(31);
    expect((await placeOrder(shop, await shop.again(ana))).status).toBe(201);
  });

  test('a replaced order does not count', async () => {
    const ana = await unpaid(1);
    for (let times = 0; times < 3; times++) await replaced(ana);
    pass(31);
    const refused = await placeOrder(shop, await shop.again(ana));
    expect(refused).toMatchObject({ status: 429, code: 'order_again_later' });
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(300);
  });

  test('the same order is returned again, however often it is requested', async () => {
    const ana = await unpaid(1);
    const placed = await placeOrder(shop, ana);
    for (let times = 0; times < 5; times++) expect((await placeOrder(shop, ana)).data).toEqual(placed.data);
  });

  test('the wait begins with the end of the hold, even before the sweeper ran', async () => {
    const ana = await unpaid(2);
    pass(5);
    expect((await placeOrder(shop, await shop.again(ana))).status).toBe(201);
  });
});

describe('staff are notified', () => {
  const alarmsAbout = (orderIds: string[]) =>
    shop.db
      .select()
      .from(alarms)
      .where(and(eq(alarms.kind, 'large_hold'), inArray(alarms.orderId, orderIds)));

  test('once of a hold on more than half of the stock of three products, however often it is replaced', async () => {
    const shelf = await Promise.all([2, 4, 9].map((quantity) => shop.stock({ quantity })));
    const ana = await shopperWith(shop, 2, ...shelf);
    const first = await placedOrder(shop, ana);
    await putInCart(shop, ana, shelf[1]?.id ?? '', 1);
    const second = await placedOrder(shop, ana);
    expect(await alarmsAbout([first.orderId, second.orderId])).toEqual([]); // 2 of 2, 3 of 4, 2 of 9
    await putInCart(shop, ana, shelf[2]?.id ?? '', 3);
    const third = await placedOrder(shop, ana);
    const more = [await replaced(ana), await replaced(ana)];
    const raised = await alarmsAbout([third, ...more].map(({ orderId }) => orderId));
    expect(raised).toMatchObject([
      {
        orderId: third.orderId,
        detail: "One customer's unpaid order is reserving more than half the stock of 3 products.",
      },
    ]);
  });

  test('of nothing when others hold most, as the list of holds shows it', async () => {
    const shelf = await Promise.all(Array.from({ length: 3 }, () => shop.stock({ quantity: 10 })));
    const regular = await shopperWith(shop, 1, await shop.stock());
    await buy(shop, await placedOrder(shop, regular));
    for (const { id } of shelf) await putInCart(shop, regular, id, 7);
    await placedOrder(shop, regular);
    const order = await placedOrder(shop, await shopperWith(shop, 3, ...shelf)); // all that is left, 3 of 10
    expect(await alarmsAbout([order.orderId])).toEqual([]);
    const as = await shop.signIn({ role: 'ROLE_ADMIN' });
    const { data } = await shop.call('listHolds', { as, query: { size: 100 } });
    const { lines = [] } = data.holds.content.find(({ orderId }) => orderId === order.orderId) ?? {};
    expect(lines.map(({ units, stock }) => [units, stock])).toEqual(shelf.map(() => [3, 10]));
  });

  test('of nothing when many products are held and most of each is left', async () => {
    const shelf = await Promise.all(Array.from({ length: 5 }, () => shop.stock({ quantity: 4 })));
    const order = await placedOrder(shop, await shopperWith(shop, 2, ...shelf));
    expect(await alarmsAbout([order.orderId])).toEqual([]);
  });
});

test('an account that takes all stock and replaces its order endlessly returns it in time, and waits', async () => {
  const shelf = await Promise.all(Array.from({ length: 4 }, () => shop.stock({ quantity: 5 })));
  const thief = await shopperWith(shop, 5, ...shelf);
  const onShelf = () => Promise.all(shelf.map(({ id }) => quantityOf(shop, id)));
  const [none, all] = [shelf.map(() => 0), shelf.map(() => 5)];
  // the first unpaid end is forgiven
  for (const round of [1, 2]) {
    for (let times = 0; times < 3; times++) await replaced(thief);
    for (const minutes of [15, 15, 9]) {
      pass(minutes);
      await shop.jobs.sweepPayments();
      expect(await onShelf(), `in round ${round}`).toEqual(none);
      await replaced(thief);
    }
    pass(2); // 31 minutes and the last ten
    await shop.jobs.sweepPayments();
    expect(await onShelf(), `after round ${round}`).toEqual(all);
  }
  const refused = await placeOrder(shop, await shop.again(thief));
  expect(refused).toMatchObject({ status: 429, code: 'order_again_later' });
  const ben = await shopperWith(shop, 5, ...shelf);
  const order = await placedOrder(shop, ben);
  await buy(shop, order);
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
});
