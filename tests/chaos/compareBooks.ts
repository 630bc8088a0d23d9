/** Compares what the shop confirmed to its callers with its database, while nobody calls. */
import { readdir } from 'node:fs/promises';
import type { Pool } from 'pg';
import { findBreaches, unsettledPayment, type Ledger } from '../support/books';
import type { Buyer } from './buyer';
import type { Staff } from './staff';

export type Reckoning = {
  /** Confirmed but missing: units, orders, payments, changes of status. */
  lost: string[];
  /** Present but never confirmed, or present twice. */
  double: string[];
  /** Broken rules of the books. */
  breaches: string[];
  /** Sessions paid at the provider and not in the shop: allowed as long as redelivery and sweeper may need. */
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
    ...compareMoves(people.staff, await rows(movesOfStaff)),
    ...compareParcels(people.staff, await rows(parcelsOfStaff)),
    ...compareRestocks(people.staff, await rows(restocks)),
    ...compareSessions(ledger),
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
    unsettled: breaches
      .filter(isUnsettled)
      .flatMap(({ found }) => found.map((session) => (session as { id: string }).id)),
    orders: orders.length,
    paid: orders.filter(({ status }) => isPaid(status)).length,
    oversold: Number(oversold?.['products']),
  };
}

/** Below 0: confirmed but missing; above 0: present but never confirmed. */
export type Difference = { what: string; by: number };

const paidStatuses = ['PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];
const isPaid = (status: string | undefined) => paidStatuses.includes(status ?? '');

/** Every unit that a buyer added is in the cart, or in a paid order. */
const unitsOfBuyers = `
  select user_id, product_id, sum(units) as units from (
    select user_id, product_id, quantity as units from cart_items join carts on carts.id = cart_id
    union all
    select user_id, product_id, quantity from order_items join orders on orders.id = order_id
    where status in ('PAID', 'OUT_FOR_DELIVERY', 'DELIVERED')) as held
  group by user_id, product_id`;
const movesOfStaff = `select distinct order_id, status from order_timeline`;
const parcelsOfStaff = `select tracking_number as number, count(*) as parcels from parcels
  where not is_automatic group by tracking_number`;
const restocks = `
  select product_id, sum(shelf) as units from stock_movements where reason = 'Edited product' group by product_id`;

/** Every parcel that staff created is there once, and no other. */
function compareParcels(staff: readonly Staff[], rows: Rows): Difference[] {
  const found = new Map(rows.map((row) => [row['number'], Number(row['parcels'])]));
  const numbers = new Set([...staff.flatMap(({ shipped }) => shipped), ...found.keys()]);
  const confirmed = new Set<string | undefined>(staff.flatMap(({ shipped }) => shipped));
  return [...numbers].flatMap((number) => {
    const by = (found.get(number) ?? 0) - (confirmed.has(number) ? 1 : 0);
    return by === 0 ? [] : [{ what: `parcel ${number}`, by }];
  });
}

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

function compareMoves(staff: readonly Staff[], rows: Rows): Difference[] {
  const found = new Set(rows.map((row) => `${row['order_id']} ${row['status']}`));
  return staff
    .flatMap(({ moved }) => moved.map(({ orderId, status }) => `${orderId} ${status}`))
    .filter((move) => !found.has(move))
    .map((move) => ({ what: `the move of order ${move}`, by: -1 }));
}

function compareRestocks(staff: readonly Staff[], rows: Rows): Difference[] {
  const confirmed = new Map<string, number>();
  for (const { restocked } of staff)
    for (const [productId, units] of restocked) confirmed.set(productId, (confirmed.get(productId) ?? 0) + units);
  const found = new Map(rows.map((row) => [row['product_id'] ?? '', Number(row['units'])]));
  return [...new Set([...confirmed.keys(), ...found.keys()])].flatMap((productId) => {
    const [said, there] = [confirmed.get(productId) ?? 0, found.get(productId) ?? 0];
    const what = `units of ${productId} put on the shelf: ${said} confirmed, ${there} there`;
    return said === there ? [] : [{ what, by: there - said }];
  });
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
