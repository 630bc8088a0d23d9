/**
 * The checker that the shop's books and the provider's ledger agree: the invariants of money and stock, over everything
 * that was ever done in a database. It only reads, in one snapshot, so it may run beside a living shop; the ledger must
 * then have been read before it, while nobody paid.
 */
import type { Pool } from 'pg';
import { nextStatuses, type OrderStatus } from '../../src/shared/orders';

export type Ledger = {
  sessions: LedgerSession[];
  refunds: { id: string; payment_intent: string; amount: number }[];
  events: { id: string; type: string; data: { object: { id: string } } }[];
  deliveries: { id: string; attempts: number; lastStatus: number | null }[];
};
export type LedgerSession = {
  id: string;
  status: string;
  payment_status: string;
  client_reference_id: string;
  amount_total: number;
  payment_intent: string | null;
};
export type Breach = { rule: string; found: object[] };
/** `ledger` undefined: only what the shop's own books say of each other. */
export type Books = { pool: Pick<Pool, 'connect'>; ledger: Ledger | undefined };

/** @returns every rule that is broken, with what breaks it */
export async function findBreaches({ pool, ledger }: Books): Promise<Breach[]> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const one = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows;
    const checks: Breach[] = [];
    for (const [rule, query] of Object.entries(ownRules)) checks.push({ rule, found: await one(query) });
    checks.push({ rule: 'every step of an order is legal', found: findIllegalSteps(await one(steps)) });
    if (ledger) {
      const stored = (await one('select session_id from payment_sessions')).map((row) => row['session_id']);
      checks.push(...compareWithProvider(ledger, (await one(paidOrders)) as PaidOrder[], new Set(stored)));
    }
    await client.query('commit');
    return checks.filter(({ found }) => found.length > 0);
  } finally {
    client.release();
  }
}

export const unsettledPayment = 'a paid session has its paid order of the same amount';

/** Orders that a test wrote by itself, without lines, stock or payment, have numbers that begin with T-. */
const real = `order_number not like 'T-%'`;

const ownRules = {
  'an order is the sum of its lines': `
    select orders.id from orders left join order_items on order_id = orders.id where ${real}
    group by orders.id having coalesce(sum(order_items.total_cents), 0) <> orders.total_cents`,
  'an order is as large as its payment': `
    select orders.id from orders left join payment_sessions on order_id = orders.id
    where ${real} and amount_cents is distinct from total_cents`,
  'the stock is the sum of its ledger': `
    select products.id, quantity from products left join stock_movements on product_id = products.id
    group by products.id having coalesce(sum(shelf), 0) <> quantity or coalesce(sum(held), 0) < 0 or quantity < 0`,
  'what is held belongs to open orders': `
    select product_id, sum(held) from stock_movements group by product_id having sum(held) <>
      coalesce((select sum(order_items.quantity) from order_items join orders on orders.id = order_id
        where order_items.product_id = stock_movements.product_id and status = 'PENDING_PAYMENT'), 0)`,
  'what left the shop belongs to paid orders': `
    select product_id from stock_movements group by product_id having
      coalesce(-sum(shelf + held) filter (where kind = 'sale'), 0) <>
      coalesce((select sum(order_items.quantity) from order_items join orders on orders.id = order_id
        where order_items.product_id = stock_movements.product_id
        and ${real} and status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED')), 0)`,
  'no two orders have one number': `select order_number from orders group by order_number having count(*) > 1`,
  'an order is paid once': `
    select order_id from order_timeline where status = 'PAID' and by_user_id is null
    group by order_id having count(*) > 1`,
  "an order's last step is its status": `
    select orders.id from orders where ${real} and status is distinct from
      (select status from order_timeline where order_id = orders.id order by id desc limit 1)`,
};

const steps = `
  select order_id, array_agg(order_timeline.status order by order_timeline.id) as statuses
  from order_timeline join orders on orders.id = order_id where ${real} and by_user_id is null
  group by order_id`;

/** Staff may take back what they just did, so only the steps that the shop took by itself are looked at. */
function findIllegalSteps(rows: Record<string, unknown>[]): object[] {
  return rows.filter(({ statuses }) => {
    const taken = ['PENDING_PAYMENT', ...(statuses as OrderStatus[])] as OrderStatus[];
    return taken.some((to, index) => index > 0 && !nextStatuses[taken[index - 1] ?? to].includes(to));
  });
}

type PaidOrder = { order_id: string; session_id: string; total_cents: number };
const paidOrders = `
  select orders.id as order_id, session_id, total_cents from orders join payment_sessions on order_id = orders.id
  where orders.status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED') or payment_sessions.state = 'refunded'`;

/** @param stored the sessions that the shop gave to buyers: another one, if it was paid, must have been given back */
function compareWithProvider({ sessions, refunds }: Ledger, orders: PaidOrder[], stored: Set<unknown>): Breach[] {
  const paidSessions = sessions.filter((session) => session.payment_status === 'paid');
  const hereOf = new Set(orders.map((order) => `${order.session_id} ${order.total_cents}`));
  const thereOf = new Set(paidSessions.map(({ id, amount_total }) => `${id} ${amount_total}`));
  const refunded = new Set(refunds.map(({ payment_intent }) => payment_intent));
  const kept = paidSessions.filter(({ payment_intent }) => !refunded.has(payment_intent ?? ''));
  const references = kept.map(({ client_reference_id }) => client_reference_id);
  return [
    {
      rule: unsettledPayment,
      found: paidSessions.filter(
        ({ id, amount_total, payment_intent }) =>
          !hereOf.has(`${id} ${amount_total}`) && (stored.has(id) || !refunded.has(payment_intent ?? '')),
      ),
    },
    {
      rule: 'no order is paid without a paid session of the same amount',
      found: orders.filter(({ session_id, total_cents }) => !thereOf.has(`${session_id} ${total_cents}`)),
    },
    {
      rule: 'no order has two payments that were not given back',
      found: kept.filter(({ client_reference_id }, index) => references.indexOf(client_reference_id) !== index),
    },
  ];
}
