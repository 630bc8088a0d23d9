/** Compares what the shop confirmed to its callers with its database, while nobody calls. */
import { readdir } from 'node:fs/promises';
import type { Pool } from 'pg';
import { findBreaches, unsettledPayment, type Ledger } from '../support/books';
import type { Buyer } from './buyer';
import { compareProviderRefunds, compareStaff, type Difference } from './compareStaff';
import type { Staff } from './staff';

export type Reckoning = {
  /** Confirmed but missing: units, orders, payments, changes of status. */
  lost: string[];
  /** Present but never confirmed, or present twice. */
  double: string[];
  /** Broken rules of the books. */
  breaches: string[];
  /** Payments that the shop does not know yet, refunds and mails to make: allowed as long as redelivery and sweeper may need. */
  unsettled: string[];
  orders: number;
  paid: number;
  oversold: number;
};
type People = { buyers: readonly Buyer[]; staff: readonly Staff[] };
type Rows = Record<string, string>[];

type Parts = {
  pool: Pool;
  /** Must have been read before, while nobody paid; undefined: only the shop's own books are compared. */
  ledger: Ledger | undefined;
  people: People;
  /** The folder of the sent mails. */
  mailFolder: string;
};

export async function compareBooks({ pool, ledger, people, mailFolder }: Parts): Promise<Reckoning> {
  const breaches = await findBreaches({ pool, ledger });
  const rows = async (query: string) => (await pool.query<Record<string, string>>(query)).rows;
  const orders = await rows(`select id, user_id, status from orders`);
  const differences = [
    ...compareUnits(people.buyers, await rows(unitsOfBuyers)),
    ...compareOrders(people.buyers, orders),
    ...(await compareStaff(pool, people.staff)),
    ...compareSessions(ledger),
    ...compareProviderRefunds(ledger),
    ...(await compareMails(pool, mailFolder)),
  ];
  const [oversold] = await rows(`select count(*) as products from products where quantity < 0`);
  const isUnsettled = ({ rule }: { rule: string }) => rule === unsettledPayment;
  return {
    lost: differences.filter(({ by }) => by < 0).map(({ what }) => what),
    double: differences.filter(({ by }) => by > 0).map(({ what }) => what),
    breaches: breaches
      .filter((breach) => !isUnsettled(breach))
      .map(({ rule, found }) => `not true: ${rule}: ${JSON.stringify(found.slice(0, 3))}`),
    unsettled: [
      ...breaches
        .filter(isUnsettled)
        .flatMap(({ found }) => found.map((session) => `payment ${(session as { id: string }).id}`)),
      ...(await rows(unfinished)).map(({ what = '' }) => what),
    ],
    orders: orders.length,
    paid: orders.filter(({ status }) => isPaid(status)).length,
    oversold: Number(oversold?.['products']),
  };
}

const paidStatuses = ['PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];
const isPaid = (status: string | undefined) => paidStatuses.includes(status ?? '');

/** Every unit that a buyer added is in the cart, or in an order that was paid. */
const unitsOfBuyers = `
  select user_id, product_id, sum(units) as units from (
    select user_id, product_id, quantity as units from cart_items join carts on carts.id = cart_id
    union all
    select user_id, product_id, quantity from order_items join orders on orders.id = order_id
    where exists (select 1 from order_timeline where order_id = orders.id and status = 'PAID')) as held
  group by user_id, product_id`;
const unfinished = `
  select 'refund ' || id as what from refunds where state = 'asked'
  union all select 'mail ' || id from mails where kind = 'out_for_delivery' and state = 'waiting'`;

function compareUnits(buyers: readonly Buyer[], rows: Rows): Difference[] {
  const found = new Map(rows.map((row) => [`${row['user_id']} ${row['product_id']}`, Number(row['units'])]));
  return buyers.flatMap(({ userId, added }) =>
    [...added].flatMap(([productId, units]) => {
      const there = found.get(`${userId} ${productId}`) ?? 0;
      const what = `units of ${productId} of buyer ${userId}: ${units} confirmed, ${there} there`;
      return there === units ? [] : [{ what, by: there - units }];
    }),
  );
}

function compareOrders(buyers: readonly Buyer[], rows: Rows): Difference[] {
  const statusOf = new Map(rows.map(({ id = '', status = '' }) => [id, status]));
  const confirmed = new Set(buyers.flatMap(({ ordered }) => [...ordered]));
  const captured = buyers.flatMap((buyer) => [...buyer.captured]);
  const own = new Set(buyers.map(({ userId }) => userId));
  return [
    ...[...confirmed].filter((id) => !statusOf.has(id)).map((id) => ({ what: `order ${id}`, by: -1 })),
    ...captured
      .filter((id) => !isPaid(statusOf.get(id)) && statusOf.get(id) !== 'REFUNDED')
      .map((id) => ({ what: `the payment of order ${id}, which is ${statusOf.get(id)}`, by: -1 })),
    ...rows
      .filter(({ id = '', user_id = '' }) => own.has(user_id) && !confirmed.has(id))
      .map(({ id }) => ({ what: `order ${id}, which nobody was told of`, by: 1 })),
  ];
}

/** The provider opened one session for an order, however often its call was sent. */
function compareSessions(ledger: Ledger | undefined): Difference[] {
  const seen = new Set<string>();
  const repeated = (ledger?.sessions ?? []).filter(({ client_reference_id: reference }) => {
    const isRepeated = seen.has(reference);
    seen.add(reference);
    return isRepeated;
  });
  return repeated.map((session) => ({
    what: `a second payment session of order ${session.client_reference_id}`,
    by: 1,
  }));
}

/** Every mail marked as sent is in the folder, and every file there has its row. */
export async function compareMails(pool: Pool, folder: string): Promise<Difference[]> {
  const { rows } = await pool.query<{ id: string; state: string }>('select id, state from mails');
  const files = await listMails(folder);
  const there = new Set(files);
  const known = new Set(rows.map(({ id }) => id));
  return [
    ...rows
      .filter(({ id, state }) => state === 'sent' && !there.has(id))
      .map(({ id }) => ({ what: `the mail ${id}, which counts as sent`, by: -1 })),
    ...files.filter((id) => !known.has(id)).map((id) => ({ what: `a mail ${id} that nobody wrote`, by: 1 })),
  ];
}

async function listMails(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []); // the first mail creates the folder
  return names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -'.eml'.length));
}
