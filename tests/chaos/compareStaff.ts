/** Compares what the shop confirmed to its staff with its database. */
import type { Pool } from 'pg';
import type { Ledger } from '../support/books';
import type { Staff } from './staff';

/** Below 0: confirmed but missing; above 0: present but never confirmed. */
export type Difference = { what: string; by: number };

type Rows = Record<string, string>[];

export async function compareStaff(pool: Pool, staff: readonly Staff[]): Promise<Difference[]> {
  const rows = async (query: string) => (await pool.query<Record<string, string>>(query)).rows;
  return [
    ...compareMoves(staff, await rows(movesOfStaff)),
    ...compareParcels(staff, await rows(parcelsOfStaff)),
    ...compareRefunds(staff, await rows(refundsOfStaff)),
    ...compareCanceled(staff, await rows(endOfOrders)),
    ...compareTakenUnits(staff, await rows(shippedUnitsOfRefunds)),
    ...compareRestocks(staff, await rows(restocks)),
  ];
}

const movesOfStaff = `select distinct order_id, status from order_timeline`;
/** With how often each is told. */
const parcelsOfStaff = `
  select tracking_number as number, is_automatic::text as automatic, order_item_id as line, quantity, count(mails.id) as mails
  from parcels join parcel_lines on parcel_id = parcels.id
  left join mails on kind = 'out_for_delivery' and facts ->> 'parcelId' = parcels.id::text
    and mails.state in ('waiting', 'sent')
  group by parcels.id, order_item_id, quantity`;
const refundsOfStaff = `
  select reason, order_id, amount_cents as cents,
    string_agg(quantity || ' of ' || order_item_id || case when refund_lines.restock then ', restocked' else '' end, '; '
      order by order_item_id) as lines
  from refunds left join refund_lines on refund_id = refunds.id
  where by_user_id is not null and state <> 'failed' group by refunds.id`;
const endOfOrders = `
  select id, status = 'CANCELLED' or status = 'REFUNDED'
    or exists (select 1 from refunds where order_id = orders.id and state = 'asked') as is_over from orders`;
/** Refunds that took shipped units of a line, although others of it are left to ship to this day. */
const shippedUnitsOfRefunds = `
  select reason, order_item_id as line from refund_lines as line
  join refunds on refunds.id = refund_id join order_items on order_items.id = order_item_id
  where line.unshipped_quantity < line.quantity and order_items.quantity
    > (select coalesce(sum(quantity), 0) from parcel_lines where order_item_id = order_items.id)
    + (select coalesce(sum(unshipped_quantity), 0) from refund_lines where order_item_id = order_items.id)`;
const restocks = `
  select product_id, sum(shelf) as units from stock_movements where reason = 'Edited product' group by product_id`;

function compareMoves(staff: readonly Staff[], rows: Rows): Difference[] {
  const found = new Set(rows.map((row) => `${row['order_id']} ${row['status']}`));
  return staff
    .flatMap(({ moved }) => moved.map(({ orderId, status }) => `${orderId} ${status}`))
    .filter((move) => !found.has(move))
    .map((move) => ({ what: `the move of order ${move}`, by: -1 }));
}

/** Every parcel that staff created is there once, and no other; each is told once, or not at all if staff said so. */
function compareParcels(staff: readonly Staff[], rows: Rows): Difference[] {
  const describe = (number = '', quantity = '', line = '', mails = '') =>
    `parcel ${number} with ${quantity} of ${line}, told ${mails} times`;
  const confirmed = staff.flatMap(({ parcels }) =>
    parcels.map((each) =>
      describe(each.trackingNumber, String(each.quantity), each.orderItemId, each.notify ? '1' : '0'),
    ),
  );
  const byHand = rows.filter(({ automatic }) => automatic !== 'true');
  return [
    ...compareTexts(
      confirmed,
      byHand.map(({ number, quantity, line, mails }) => describe(number, quantity, line, mails)),
    ),
    ...rows
      .filter(({ automatic, mails }) => automatic === 'true' && Number(mails) !== 1)
      .map(({ line, mails }) => ({ what: `mails about the rest of ${line}`, by: Number(mails) - 1 })),
  ];
}

/** Every refund that staff made is there once, and no other; a cancellation makes one at most. */
function compareRefunds(staff: readonly Staff[], rows: Rows): Difference[] {
  const ofCancellations = new Set<string | undefined>(
    staff.flatMap(({ canceled }) => canceled.map(({ reason }) => reason)),
  );
  const describe = (reason = '', orderId = '', cents = '', lines = '') =>
    `refund ${reason} of order ${orderId} over ${cents} cents: ${lines}`;
  const confirmed = staff.flatMap(({ refunds }) =>
    refunds.map(({ reason, orderId, cents, lines }) => {
      const sorted = lines.toSorted((a, b) => (a.orderItemId < b.orderItemId ? -1 : 1));
      const described = sorted.map(
        ({ orderItemId, quantity, restock }) => `${quantity} of ${orderItemId}${restock ? ', restocked' : ''}`,
      );
      return describe(reason, orderId, String(cents), described.join('; '));
    }),
  );
  const found = rows.filter(({ reason }) => !ofCancellations.has(reason));
  const reasons = rows.flatMap(({ reason }) => (ofCancellations.has(reason) ? [reason] : []));
  return [
    ...compareTexts(
      confirmed,
      found.map(({ reason, order_id: id, cents, lines }) => describe(reason, id, cents, lines)),
    ),
    ...reasons
      .filter((reason, index) => reasons.indexOf(reason) !== index)
      .map((reason) => ({ what: `a second refund of the cancellation ${reason}`, by: 1 })),
  ];
}

function compareCanceled(staff: readonly Staff[], rows: Rows): Difference[] {
  const over = new Set(rows.filter((row) => row['is_over']).map(({ id }) => id));
  return staff
    .flatMap(({ canceled }) => canceled)
    .filter(({ orderId }) => !over.has(orderId))
    .map(({ orderId }) => ({ what: `the cancellation of order ${orderId}`, by: -1 }));
}

/** A refund takes units that were not shipped first, unless staff said that shipped ones came back. */
function compareTakenUnits(staff: readonly Staff[], rows: Rows): Difference[] {
  const cameBack = new Set(
    staff.flatMap(({ refunds }) =>
      refunds.flatMap(({ reason, lines }) =>
        lines.flatMap((line) => (line.cameBack ? [`${reason} ${line.orderItemId}`] : [])),
      ),
    ),
  );
  return rows
    .filter(({ reason, line }) => !cameBack.has(`${reason} ${line}`))
    .map(({ reason, line }) => ({ what: `shipped units of ${line} that refund ${reason} took`, by: 1 }));
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

/** The provider made each refund once, however often it was requested. */
export function compareProviderRefunds(ledger: Ledger | undefined): Difference[] {
  const seen = new Set<string>();
  return (ledger?.refunds ?? []).flatMap(({ metadata }) => {
    const id = metadata?.refund_id ?? '';
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated ? [{ what: `a second refund ${id} at the provider`, by: 1 }] : [];
  });
}

/** Everything confirmed is there once, and nothing else is. */
function compareTexts(confirmed: readonly string[], found: readonly string[]): Difference[] {
  const counts = new Map<string, number>();
  for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1);
  for (const each of confirmed) counts.set(each, (counts.get(each) ?? 0) - 1);
  return [...counts].flatMap(([what, by]) => (by === 0 ? [] : [{ what, by }]));
}
