/**
 * The job that writes the daily emails to staff: the orders since the last one, and the products that are low on stock.
 * It looks every minute, so a morning that no process ran is made up for by the next start. One transaction claims the
 * morning and writes all emails, so each exists once, however many processes run and whenever one is killed.
 * Rule: docs/rules/contact-and-mail.md, Emails to staff
 */
import { and, eq, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { dayAt } from '../../shared/shopDays';
import { dailyMailHour } from '../../shared/staffMails';
import type { Clock } from '../core/clock';
import { lastDue } from '../core/lastDue';
import { products, settings, staffMails } from '../db/schema/tables';
import { transact, type Connection, type Db, type Tx } from '../db/core/transact';
import { writeMail } from '../mail/outbox';
import { hasMailServer } from '../mail/serverState';
import { readShopSettings } from '../settings/service';
import { findStaff, type Recipient, type StaffMailParts } from './service';

export type DailyMailParts = StaffMailParts & { db: Db; clock: Clock };

/** The row of `settings` with the last morning that is done. */
const doneName = 'staff_mails_done';

export async function writeDailyMails(parts: DailyMailParts): Promise<void> {
  const { db, clock } = parts;
  const now = clock.now();
  const { timeZone, lowStockThreshold } = await readShopSettings(db);
  const due = lastDue(now, dailyMailHour, timeZone);
  if (await isDone(db, due)) return;
  await transact(db, async (tx) => {
    if (!(await claim(tx, due))) return;
    const orders = await takeOrders(tx);
    if (!(await hasMailServer(tx, parts.mail.mailer))) return;
    const staff = await findStaff(tx, or(eq(staffMails.lowStock, true), ne(staffMails.newOrder, 'off')) as SQL);
    for (const person of staff) await mailOrders(tx, person, orders.get(person.userId) ?? [], { due, now });
    const chosen = await findStaff(tx, eq(staffMails.lowStock, true));
    if (chosen.length === 0 || !(await isAnyLow(tx, lowStockThreshold))) return;
    for (const person of chosen) await mailLowStock(tx, person, dayAt(due, timeZone), now);
  });
}

/** Read without a lock: it is done nearly every minute. */
async function isDone(connection: Connection, due: Date): Promise<boolean> {
  const [row] = await connection.select().from(settings).where(eq(settings.name, doneName));
  return row !== undefined && (row.value as { due: string }).due >= due.toISOString();
}

/** @returns false when another process claimed this morning; it waits until that one commits */
async function claim(tx: Tx, due: Date): Promise<boolean> {
  const value = { due: due.toISOString() };
  const isEarlier = sql`${settings.value} ->> 'due' < ${value.due}`;
  const claimed = await tx
    .insert(settings)
    .values({ name: doneName, value })
    .onConflictDoUpdate({ target: settings.name, set: { value }, setWhere: isEarlier })
    .returning({ name: settings.name });
  return claimed.length > 0;
}

type PaidOrder = { id: string; totalCents: number };

/** Takes all orders that wait for the daily emails, by user. One that is settled meanwhile is in the next email. */
async function takeOrders(tx: Tx): Promise<ReadonlyMap<string, PaidOrder[]>> {
  const { rows } = await tx.execute<PaidOrder & { userId: string }>(sql`
    with taken as (delete from daily_mail_orders returning user_id, order_id)
    select taken.user_id as "userId", orders.id, orders.total_cents as "totalCents"
    from taken join orders on orders.id = taken.order_id order by orders.paid_at, orders.id`);
  const taken = new Map<string, PaidOrder[]>();
  for (const { userId, ...order } of rows) {
    const orders = taken.get(userId);
    if (orders) orders.push(order);
    else taken.set(userId, [order]);
  }
  return taken;
}

/** How many orders an email lists; it counts the others. */
const ordersListed = 50;

export type DailyOrders = { orderIds: string[]; orders: number; totalCents: number };

async function mailOrders(
  tx: Tx,
  { userId, email: recipient }: Recipient,
  orders: readonly PaidOrder[],
  { due, now }: { due: Date; now: Date },
): Promise<void> {
  if (orders.length === 0) return;
  const facts: DailyOrders = {
    orderIds: orders.slice(0, ordersListed).map(({ id }) => id),
    orders: orders.length,
    totalCents: orders.reduce((sum, { totalCents }) => sum + totalCents, 0),
  };
  const about = `daily_orders:${userId}:${due.toISOString()}`;
  await writeMail(tx, { kind: 'daily_orders', about, recipient, userId, facts, now });
}

/** The text names the products that are low when it is sent. */
async function mailLowStock(tx: Tx, { userId, email: recipient }: Recipient, day: string, now: Date): Promise<void> {
  await writeMail(tx, { kind: 'low_stock', about: `low_stock:${userId}:${day}`, recipient, userId, now });
}

async function isAnyLow(tx: Tx, threshold: number): Promise<boolean> {
  const low = await tx.select({ id: products.id }).from(products).where(isLow(threshold)).limit(1);
  return low.length > 0;
}

/** As the filter of the product list has it. */
export const isLow = (threshold: number) => and(isNull(products.archivedAt), lte(products.quantity, threshold));
