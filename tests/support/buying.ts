/** What buying needs in tests, and the checker that the shop's books and the provider's ledger agree. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Person, TestShop } from './shop';

export type Order = { orderId: string; orderNumber: string; sessionId: string; userId: string; cartId: string };

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

export const placeOrder = (
  shop: TestShop,
  person: Person,
  body: object = { customer: 'Example Customer', deliveryAddress: address },
) => shop.call('placeOrder', { as: person, path: { userId: person.userId, cartId: person.cartId }, body });

/**
 * Pays at the provider, and waits until it has told the shop: its first delivery was made, or dropped on the way.
 * @param isTold false while deliveries are held
 */
export async function buy(shop: TestShop, { sessionId }: Pick<Order, 'sessionId'>, isTold = true): Promise<void> {
  await shop.control('pay', { session: sessionId });
  if (!isTold) return;
  for (const end = Date.now() + 10_000; ; await pause(10)) {
    const { events, deliveries } = await ledger(shop);
    const paid = events.find(({ type, data }) => type === 'checkout.session.completed' && data.object.id === sessionId);
    if (deliveries.some(({ id, attempts }) => id === paid?.id && attempts > 0)) return;
    if (Date.now() > end) throw new Error('the provider did not tell the shop of the payment');
  }
}

export type Ledger = {
  sessions: LedgerSession[];
  refunds: { id: string; payment_intent: string; amount: number }[];
  events: { id: string; type: string; data: { object: { id: string } } }[];
  deliveries: { id: string; attempts: number; lastStatus: number | null }[];
};
type LedgerSession = {
  id: string;
  status: string;
  payment_status: string;
  client_reference_id: string;
  amount_total: number;
  payment_intent: string | null;
};

export const ledger = async (shop: TestShop): Promise<Ledger> => (await shop.control('ledger')) as Ledger;

/**
 * The invariants of money and stock, over everything a test file did: each paid session has one order, no order is paid
 * without one, totals agree to the cent, and every product's stock is the sum of its ledger.
 */
export async function checkBooks(shop: TestShop): Promise<void> {
  const { sessions } = await ledger(shop);
  const one = async <Row extends object>(query: string): Promise<Row[]> => (await shop.pool.query<Row>(query)).rows;

  const paid = await one<{ session_id: string; total_cents: number }>(
    `select session_id, total_cents from orders join payment_sessions on order_id = orders.id
     where orders.status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED') or payment_sessions.state = 'refunded'`,
  );
  const paidAtProvider = sessions.filter((session) => session.payment_status === 'paid');
  const pairs = (rows: { id: string; cents: number }[]) => rows.map(({ id, cents }) => `${id} ${cents}`).sort();
  expect(pairs(paid.map((row) => ({ id: row.session_id, cents: row.total_cents })))).toEqual(
    pairs(paidAtProvider.map((session) => ({ id: session.id, cents: session.amount_total }))),
  );

  expect(
    await one(`select orders.id from orders left join order_items on order_id = orders.id where order_number not like 'T-%'
      group by orders.id having coalesce(sum(order_items.total_cents), 0) <> orders.total_cents`),
    'an order is the sum of its lines',
  ).toEqual([]);
  expect(
    await one(`select products.id, quantity from products left join stock_movements on product_id = products.id
      group by products.id having coalesce(sum(shelf), 0) <> quantity or coalesce(sum(held), 0) < 0`),
    'the stock is the sum of its ledger',
  ).toEqual([]);
  expect(
    await one(`select product_id, sum(held) from stock_movements group by product_id having sum(held) <>
      coalesce((select sum(order_items.quantity) from order_items join orders on orders.id = order_id
        where order_items.product_id = stock_movements.product_id and status = 'PENDING_PAYMENT'), 0)`),
    'what is held belongs to open orders',
  ).toEqual([]);
  expect(await one(`select order_number from orders group by order_number having count(*) > 1`)).toEqual([]);
}
