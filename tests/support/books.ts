/**
 * Checks the invariants of money and stock over a database's whole history, and that the shop's books agree with the
 * provider's ledger. Reads one snapshot, so it may run beside a live shop; the ledger must have been read before, with
 * no payment in between. Rule: docs/rules/failures.md, Invariants
 */
import type { Pool } from 'pg';
import { canMove, nextStatuses, undoStatusMs, type OrderStatus } from '../../src/shared/orders';

export type Ledger = {
  sessions: LedgerSession[];
  refunds: LedgerRefund[];
  events: { id: string; type: string; data: { object: { id: string; payment_intent?: string | null } } }[];
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
export type LedgerRefund = { id: string; payment_intent: string; amount: number; metadata?: { refund_id?: string } };
export type Breach = { rule: string; found: object[] };
/** `ledger` undefined: compares only the shop's own books with each other. */
export type Books = { pool: Pick<Pool, 'connect'>; ledger: Ledger | undefined };

type Row = Record<string, unknown>;

/** @returns every broken rule with the rows that break it */
export async function findBreaches({ pool, ledger }: Books): Promise<Breach[]> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const read = async <Kind = Row>(query: string) => (await client.query<Row>(query)).rows as Kind[];
    const checks: Breach[] = [];
    for (const [rule, query] of Object.entries(ownRules)) checks.push({ rule, found: await read(query) });
    checks.push({ rule: 'every step of an order is legal', found: (await read<Taken>(steps)).filter(hasIllegalStep) });
    if (ledger) {
      const here = {
        orders: await read<PaidOrder>(paidOrders),
        sessions: await read<StoredSession>('select order_id, session_id, amount_cents from payment_sessions'),
        refunds: await read<StoredRefund>('select id, provider_refund_id, amount_cents, state from refunds'),
        alarms: await read<{ about: string }>('select about from alarms'),
      };
      checks.push(...compareWithProvider(ledger, here));
    }
    return checks.filter(({ found }) => found.length > 0);
  } finally {
    await client.query('rollback'); // nothing was changed
    client.release();
  }
}

export const unsettledPayment = 'a paid session has its paid order of the same amount';

/** Leaves out orders that a test inserted without lines, stock or payment; their numbers begin with T-. */
const real = `order_number not like 'T-%'`;
/** Orders that the shop marked as paid. Staff who undo a step write the same status, but under their name. */
const wasPaid = `exists (select 1 from order_timeline where order_id = orders.id and status = 'PAID' and by_user_id is null)`;
/** Canceled first and paid afterwards: PAID, or REFUNDED when there was nothing to send. */
const wasPaidLate = `exists (select 1 from order_timeline as ended join order_timeline as paid using (order_id)
  where order_id = orders.id and ended.status = 'CANCELLED' and paid.status in ('PAID', 'REFUNDED') and paid.id > ended.id)`;

/** Inside a query over order_items. */
const shippedUnits = `(select coalesce(sum(parcel_lines.quantity), 0) from parcel_lines where order_item_id = order_items.id)`;
const refundsOfLine = `refund_lines join refunds on refunds.id = refund_id
  where order_item_id = order_items.id and stray_payment_id is null`;

const ownRules = {
  'an order is the sum of its lines': `
    select orders.id from orders left join order_items on order_id = orders.id where ${real}
    group by orders.id having coalesce(sum(order_items.total_cents), 0)
      <> orders.total_cents + orders.discount_cents - orders.delivery_cents - orders.tax_cents`,
  'no order is without lines': `
    select id from orders where ${real} and not exists (select 1 from order_items where order_id = orders.id)`,
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
  'what left the shop belongs to orders that were paid': `
    select product_id from stock_movements group by product_id having
      coalesce(-sum(shelf + held) filter (where kind = 'sale'), 0) <>
      coalesce((select sum(order_items.quantity) from order_items join orders on orders.id = order_id
        where order_items.product_id = stock_movements.product_id and ${real} and ${wasPaid}), 0)`,
  // a refund restocks either all units of the order or some of its lines, not both; they stay restocked if a bank
  // returns the money
  'what came back of an order came once, with a refund that says so': `
    select order_items.order_id, order_items.product_id from order_items
    where quantity * (select count(*) from refunds
        where refunds.order_id = order_items.order_id and restock and done_at is not null)
      + (select coalesce(sum(refund_lines.quantity), 0) from refund_lines join refunds on refunds.id = refund_id
        where order_item_id = order_items.id and refund_lines.restock and done_at is not null) <>
      coalesce((select sum(shelf) from stock_movements where kind = 'adjustment'
        and stock_movements.order_id = order_items.order_id
        and stock_movements.product_id = order_items.product_id), 0)
      or quantity < quantity * (select count(*) from refunds
        where refunds.order_id = order_items.order_id and restock and (state <> 'failed' or done_at is not null))
      + (select coalesce(sum(refund_lines.quantity), 0) from refund_lines join refunds on refunds.id = refund_id
        where order_item_id = order_items.id and refund_lines.restock and (state <> 'failed' or done_at is not null))`,
  'no two orders have one number': `select order_number from orders group by order_number having count(*) > 1`,
  'an order is paid once': `
    select order_id from order_timeline where status = 'PAID' and by_user_id is null
    group by order_id having count(*) > 1`,
  // an effect is a status change not made by staff; a refund may ship an order twice, if staff delete a parcel in between;
  // other rules check its units, refunds and mails, and the database
  // stores each event once
  'each event had at most one effect': `
    select order_id, order_timeline.status as effect from order_timeline join orders on orders.id = order_id
    where ${real} and by_user_id is null and order_timeline.status <> 'OUT_FOR_DELIVERY'
    group by order_id, order_timeline.status having count(*) > 1`,
  'an order that goes out was paid': `
    select orders.id from orders join payment_sessions on order_id = orders.id
    where ${real} and orders.status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED')
      and (not ${wasPaid} or paid_at is null or payment_sessions.state <> 'paid')`,
  "an order's last step is its status": `
    select orders.id from orders where ${real} and status is distinct from
      (select status from order_timeline where order_id = orders.id order by id desc limit 1)`,
  'every step that staff took is in the audit log, and none that they did not take': `
    select orders.id from orders where ${real} and
      (select count(*) from order_timeline where order_id = orders.id and by_user_id is not null
          and status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'))
      <> (select count(*) from audit_log where target_kind = 'order' and target_id = orders.id::text
          and action = 'order.status_changed')`,
  'an order that staff ended is in the audit log': `
    select order_id from order_timeline join orders on orders.id = order_id
    where order_timeline.status = 'CANCELLED' and by_user_id <> user_id and not exists (
      select 1 from audit_log where target_id = order_id::text and action in ('order.hold_ended', 'order.canceled')
        and actor_id = by_user_id)`,
  'what was given back of an order is the sum of its refunds, and never more than it cost': `
    select orders.id from orders left join refunds on order_id = orders.id and stray_payment_id is null where ${real}
    group by orders.id having coalesce(sum(amount_cents) filter (where refunds.state = 'done'), 0) <> refunded_cents
      or coalesce(sum(amount_cents) filter (where refunds.state <> 'failed'), 0) > total_cents`,
  'the shares of the lines add up to the discount and the tax': `
    select orders.id from orders join order_items on order_id = orders.id where ${real}
    group by orders.id having sum(order_items.discount_cents) <> orders.discount_cents
      or sum(order_items.tax_cents) + orders.delivery_tax_cents <> orders.tax_cents`,
  "an order's tax is of the state that it goes to": `
    select id from orders where ${real} and tax_state <> state`,
  'refunds give back no more goods, delivery and tax than an order had': `
    select orders.id from orders join refunds on order_id = orders.id and stray_payment_id is null
    where ${real} and refunds.state <> 'failed'
    group by orders.id having sum(refunds.delivery_cents) > orders.delivery_cents
      or sum(refunds.tax_cents) > orders.tax_cents
      or sum(amount_cents - refunds.delivery_cents - refunds.tax_cents)
        > total_cents - orders.delivery_cents - orders.tax_cents`,
  'a refund by lines is the sum of its lines and of the delivery': `
    select refunds.id from refunds left join refund_lines on refund_id = refunds.id
    group by refunds.id having case when is_by_lines
      then coalesce(sum(goods_cents), 0) <> amount_cents - delivery_cents - refunds.tax_cents
        or coalesce(sum(refund_lines.tax_cents), 0) > refunds.tax_cents
        or delivery_cents = 0 and coalesce(sum(refund_lines.tax_cents), 0) <> refunds.tax_cents
      else count(refund_lines.refund_id) > 0 end`,
  'a line gives back no more units, goods and tax than it had': `
    select order_items.id from order_items
    join refund_lines on order_item_id = order_items.id join refunds on refunds.id = refund_id and state <> 'failed'
    group by order_items.id having sum(refund_lines.quantity) > order_items.quantity
      or sum(goods_cents) > total_cents - discount_cents or sum(refund_lines.tax_cents) > order_items.tax_cents`,
  'no unit of a line is shipped that was refunded before': `
    select order_items.id from order_items where quantity < ${shippedUnits} + greatest(
      (select coalesce(sum(unshipped_quantity), 0) from ${refundsOfLine} and state <> 'failed'),
      (select coalesce(sum(unshipped_quantity), 0) from ${refundsOfLine} and refund_lines.restock
        and (state <> 'failed' or done_at is not null)))`,
  'no more shipped units are refunded than were shipped': `
    select order_items.id from order_items join orders on orders.id = order_id
    where ${real} and (orders.status = 'PAID' or exists (select 1 from parcels where parcels.order_id = orders.id))
      and ${shippedUnits} < (select coalesce(sum(refund_lines.quantity - unshipped_quantity), 0)
        from ${refundsOfLine} and state <> 'failed')`,
  'a parcel has lines of its own order, which was paid': `
    select parcels.id from parcels join orders on orders.id = parcels.order_id
    left join parcel_lines on parcel_id = parcels.id left join order_items on order_items.id = order_item_id
    where ${real} and (order_items.order_id is distinct from parcels.order_id or not ${wasPaid})`,
  'each parcel is told as often as staff asked for': `
    select parcels.id from parcels left join mails on facts ->> 'parcelId' = parcels.id::text
    group by parcels.id having count(mails.id) <> parcels.mails`,
  // an order that was paid late keeps its price, though its use of the code may have gone to another order meanwhile
  'a discount code is used no more often than it may be': `
    select discounts.id from discounts join orders on discount_id = discounts.id
    where ${real} and status <> 'CANCELLED' and not ${wasPaidLate}
    group by discounts.id having count(*) > max_uses`,
  'no customer uses a discount code more often than one may': `
    select discounts.id, user_id from discounts join orders on discount_id = discounts.id
    where ${real} and status <> 'CANCELLED' and not ${wasPaidLate}
    group by discounts.id, user_id having count(*) > max_uses_per_customer`,
  // a bank may return some of it later: then the order has a refund that was made and failed
  'an order is REFUNDED when all of it was given back': `
    select id from orders where ${real} and status = 'REFUNDED' and refunded_cents <> total_cents
      and not exists (select 1 from refunds where order_id = orders.id and state = 'failed' and done_at is not null)`,
  'a paid order is confirmed by one mail': `
    select orders.id from orders left join mails on order_id = orders.id and kind = 'order_confirmation' where ${real}
    group by orders.id having count(mails.id) <> case when ${wasPaid} then 1 else 0 end`,
  'a refund that was made is told in one mail': `
    select refunds.id from refunds left join mails on about = 'refund:' || refunds.id where refunds.state = 'done'
    group by refunds.id having count(mails.id) <> 1`,
  'nobody has more lists than may be, or two of one name': `
    select user_id from lists group by user_id
    having count(*) > 20 or count(distinct name_key) < count(*) or count(distinct position) < count(*)`,
  'no list has more products than may be, or two at one place': `
    select user_id, list_id from list_items group by user_id, list_id
    having count(*) > 200 or count(distinct position) < count(*)`,
  'a count has its time, and no other item has one': `
    select user_id, list_id, product_id from list_items where (on_hand_tenths is null) <> (counted_at is null)`,
  'nothing is told that did not happen': `
    select mails.id from mails join orders on orders.id = order_id
    where kind = 'out_for_delivery' and mails.state = 'sent' and case when facts ? 'parcelId'
      then not exists (select 1 from parcels where parcels.id::text = facts ->> 'parcelId')
      else not exists (select 1 from order_timeline
        where order_timeline.order_id = orders.id and order_timeline.status = 'OUT_FOR_DELIVERY') end`,
  'the kept counts are what counting gives': `
    select list, part, value, kept, counted from
      (select list, part, value, sum(rows) as kept from kept_counts group by list, part, value) as keeping
      full join (
        select counts.list, counts.part, counts.value, count(*) as counted
        from products, counts_of_product(products) as counts group by counts.list, counts.part, counts.value
        union all select 'cards', list::text, '', count(*) from product_cards group by list
        union all select 'orders', status, '', count(*) from orders group by status
        union all select 'users', role, is_enabled::text, count(*) from users group by role, is_enabled
      ) as counting using (list, part, value)
    where coalesce(kept, 0) <> coalesce(counted, 0)`,
  'the cards of lists are those of the products': `
    with wanted as (select * from cards_of_products(array(select id from products)))
    (select * from product_cards except all select * from wanted)
    union all (select * from wanted except all select * from product_cards)`,
  'the money by line is that of the lines': `
    (select * from money_by_line except all select * from money_by_line_anew)
    union all (select * from money_by_line_anew except all select * from money_by_line)`,
  'the daily money that reports read is that of the orders': `
    with span as materialized (
      select time_zone as zone, (min(moment) at time zone time_zone)::date as first,
        (max(moment) at time zone time_zone)::date as last
      from (select paid_at as moment from orders union all select done_at from refunds) as moments, daily_money_zone
      group by time_zone),
    kept as materialized (select found.* from span, daily_money_of(first, last, zone) as found),
    counted as materialized (
      select found.* from span, daily_money_anew(
        array(select day::date from generate_series(first::timestamp, last, interval '1 day') as day), zone) as found)
    (select * from kept except all select * from counted) union all (select * from counted except all select * from kept)`,
  'the words of orders are those of their parts': `
    (select * from order_words except all select * from order_words_anew)
    union all (select * from order_words_anew except all select * from order_words)`,
};

type Step = { status: OrderStatus; by: string | null; at: number; withParcel: boolean };
type Taken = { order_id: string; taken: Step[] };
const steps = `
  select order_id, json_agg(json_build_object('status', order_timeline.status, 'by', by_user_id,
    'at', extract(epoch from at) * 1000, 'withParcel', exists (select 1 from audit_log
      where action = 'order.parcel_deleted' and target_id = order_id::text and audit_log.at = order_timeline.at
        and actor_id = by_user_id)) order by order_timeline.id) as taken
  from order_timeline join orders on orders.id = order_id where ${real} group by order_id`;

/**
 * Whether a status change is not allowed. Staff may make only some of them, may undo their last one immediately, and take
 * back the one that a parcel made when they delete it.
 */
function hasIllegalStep({ taken }: Taken): boolean {
  return taken.some(({ status, by, at, withParcel }, index) => {
    const [last, former] = [taken[index - 1], taken[index - 2]];
    if (!last) return status !== 'PENDING_PAYMENT';
    const isByHand = by !== null && status !== 'REFUNDED' && status !== 'CANCELLED';
    if (isByHand ? canMove(last.status, status) : nextStatuses[last.status].includes(status)) return false;
    const isOwnUndo = last.by === by && at - last.at <= undoStatusMs;
    const isWithParcel = withParcel && last.status === 'OUT_FOR_DELIVERY' && status === 'PAID';
    return !(isWithParcel || (former?.status === status && by !== null && isOwnUndo));
  });
}

type PaidOrder = { order_id: string; session_id: string; total_cents: number };
type StoredSession = { order_id: string; session_id: string | null; amount_cents: number };
type StoredRefund = { id: string; provider_refund_id: string | null; amount_cents: number; state: string };
const paidOrders = `
  select orders.id as order_id, session_id, total_cents from orders join payment_sessions on order_id = orders.id
  where payment_sessions.state in ('paid', 'refunded')`;
type Here = { orders: PaidOrder[]; sessions: StoredSession[]; refunds: StoredRefund[]; alarms: { about: string }[] };

/** A paid session that the shop does not know must have been refunded or have raised an alarm. */
function compareWithProvider({ sessions, refunds }: Ledger, here: Here): Breach[] {
  const paidSessions = sessions.filter((session) => session.payment_status === 'paid');
  const stored = new Map(here.sessions.map((session) => [session.session_id, session]));
  const paidHere = new Set(here.orders.map((order) => `${order.order_id} ${order.session_id} ${order.total_cents}`));
  const paidThere = new Set(paidSessions.map(nameOf));
  const hasAlarm = ({ id }: LedgerSession) => here.alarms.some(({ about }) => about.startsWith(`session:${id}:`));
  const isGivenBack = ({ payment_intent, amount_total }: LedgerSession) =>
    refunds.reduce((sum, refund) => sum + (refund.payment_intent === payment_intent ? refund.amount : 0), 0) >=
    amount_total;
  const kept = paidSessions.filter((session) => !isGivenBack(session) && !hasAlarm(session));
  const references = kept.map(({ client_reference_id }) => client_reference_id);
  const rowOf = (refund: LedgerRefund) =>
    here.refunds.find((row) => row.provider_refund_id === refund.id || row.id === refund.metadata?.refund_id);
  return [
    {
      rule: unsettledPayment,
      found: paidSessions.filter(
        (session) =>
          !paidHere.has(nameOf(session)) && (stored.has(session.id) || (!isGivenBack(session) && !hasAlarm(session))),
      ),
    },
    {
      rule: 'no order is paid without a paid session of its own, of the same amount',
      found: here.orders.filter(
        ({ order_id, session_id, total_cents }) => !paidThere.has(`${order_id} ${session_id} ${total_cents}`),
      ),
    },
    { rule: 'no order has two payments that were not given back', found: kept.filter(isRepeated(references)) },
    {
      rule: 'the payment page asks for what the order costs',
      found: sessions.filter(({ id, amount_total }) => (stored.get(id)?.amount_cents ?? amount_total) !== amount_total),
    },
    {
      rule: 'every refund at the provider is in the books, of the same amount',
      found: refunds.filter((refund) => rowOf(refund)?.amount_cents !== refund.amount),
    },
    {
      rule: 'every refund in the books was made',
      found: here.refunds.filter(
        ({ state, provider_refund_id: id }) => state === 'done' && !refunds.some((refund) => refund.id === id),
      ),
    },
  ];
}

const nameOf = ({ client_reference_id, id, amount_total }: LedgerSession) =>
  `${client_reference_id} ${id} ${amount_total}`;
const isRepeated = (references: string[]) => (session: LedgerSession, index: number) =>
  references.indexOf(session.client_reference_id) !== index;
