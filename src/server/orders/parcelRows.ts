/**
 * Parcels in the database, and the mails about them. The caller has locked the order, so that two staff members never
 * ship the same unit, and no unit is shipped while it is refunded. Rule: docs/rules/orders-and-payment.md, Parcels
 */
import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { unitsOf } from '../../shared/orderUnits';
import { undoStatusMs } from '../../shared/orders';
import type { Tx } from '../db/core/transact';
import { mails, parcelLines, parcels, type OrderStatus } from '../db/schema/tables';
import { cancelMail, writeMail } from '../mail/outbox';
import { findUser } from '../users/core/service';
import { keepUnitsTrue } from './refundedUnits';
import { findOrder, type FullOrder } from './repository';

export type ParcelRow = typeof parcels.$inferSelect;
export type UnitsOfLine = { orderItemId: string; quantity: number };

type NewParcel = Omit<typeof parcels.$inferInsert, 'id' | 'mails'> & {
  lines: readonly UnitsOfLine[];
  /** Whether the customer gets a mail about it. */
  notify: boolean;
};

/** Writes a parcel with its mail. @returns its id */
export async function insertParcel(tx: Tx, order: FullOrder, { lines, notify, ...parcel }: NewParcel): Promise<string> {
  const id = randomUUID();
  await tx.insert(parcels).values({ ...parcel, id, mails: notify ? 1 : 0 });
  await tx.insert(parcelLines).values(lines.map((line) => ({ parcelId: id, ...line })));
  if (notify) await writeParcelMail(tx, order, { ...parcel, id, mails: 1 }, parcel.shippedAt);
  return id;
}

/** Ships all that is left in a parcel without a number, because the order's status says so. */
export async function shipRest(
  tx: Tx,
  order: FullOrder,
  { status, byUserId, notify, now }: { status: OrderStatus; byUserId: string; notify: boolean; now: Date },
): Promise<void> {
  const units = unitsOf(order);
  const lines = order.items
    .map(({ id }) => ({ orderItemId: id, quantity: units.get(id)?.leftToShip ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
  if (lines.length === 0) return;
  const { id: orderId, shipmentTrackingUrl: trackingUrl } = order;
  const automatic = { isAutomatic: true, madeStatus: status, carrier: 'other', trackingUrl } as const;
  await insertParcel(tx, order, { orderId, ...automatic, byUserId, shippedAt: now, lines, notify });
}

/** Takes back what the order's last status change shipped, with its mail. */
export async function unshipStep(tx: Tx, orderId: string, undone: OrderStatus): Promise<void> {
  const order = await findOrder(tx, orderId);
  const made = order?.parcels.filter(({ madeStatus }) => madeStatus === undone) ?? [];
  for (const parcel of made) await removeParcel(tx, parcel);
  // an older release wrote the mail without a parcel
  if (made.length === 0 && undone === 'OUT_FOR_DELIVERY') await cancelMail(tx, statusMail(orderId));
}

/** Deletes a parcel and the mails about it that were not sent. Units of it that were refunded were then never shipped. */
export async function removeParcel(tx: Tx, parcel: ParcelRow): Promise<void> {
  for (const { about } of await lockMails(tx, parcel)) await cancelMail(tx, about);
  await tx.delete(parcels).where(eq(parcels.id, parcel.id));
  await keepUnitsTrue(tx, parcel.orderId);
}

/** The mail waits until the parcel can no longer be deleted. */
const delayMs = undoStatusMs + 1_000;

type OfCustomer = Pick<FullOrder, 'userId'>;
type Told = Pick<ParcelRow, 'id' | 'orderId' | 'mails'> & { isAutomatic?: boolean | undefined };

/** Notifies the customer of a parcel, or of its new number. */
export async function mailAbout(tx: Tx, order: OfCustomer, parcel: Told, now: Date): Promise<void> {
  if (await isStillToSend(tx, parcel)) return;
  const told = { ...parcel, mails: parcel.mails + 1 };
  await tx.update(parcels).set({ mails: told.mails }).where(eq(parcels.id, parcel.id));
  await writeParcelMail(tx, order, told, now);
}

async function writeParcelMail(tx: Tx, { userId }: OfCustomer, parcel: Told, now: Date): Promise<void> {
  const customer = await findUser(tx, userId);
  if (!customer) throw new Error(`order ${parcel.orderId} has no customer`);
  const isFirst = parcel.mails === 1;
  const mail = {
    kind: 'out_for_delivery',
    recipient: customer.email,
    userId,
    orderId: parcel.orderId,
    facts: { parcelId: parcel.id, isUpdate: !isFirst },
    delayMs: isFirst ? delayMs : 0,
    now,
  } as const;
  for (const about of mailNames(parcel)) if (await writeMail(tx, { ...mail, about })) return;
}

/** Whether a mail about the parcel was not attempted yet: it will say what the parcel is by then. */
const isStillToSend = async (tx: Tx, parcel: Told): Promise<boolean> =>
  (await lockMails(tx, parcel)).some(({ state, attempts }) => state === 'waiting' && attempts === 0);

const lockMails = (tx: Tx, { id, orderId }: Told) =>
  tx
    .select({ about: mails.about, state: mails.state, attempts: mails.attempts })
    .from(mails)
    .where(and(eq(mails.orderId, orderId), sql`${mails.facts} ->> 'parcelId' = ${id}`))
    .for('update');

/** The automatic parcel shows the order's tracking link: a client that knows no parcels changes both. */
export const setAutomaticLink = (tx: Tx, orderId: string, trackingUrl: string | null) =>
  tx
    .update(parcels)
    .set({ trackingUrl })
    .where(and(eq(parcels.orderId, orderId), eq(parcels.isAutomatic, true)));

/**
 * Names for the parcel's latest mail, in order of preference. The mail gets the first unused name. After an undone status
 * change is repeated, the canceled mail is sent under its old name. An order's second automatic parcel has its own mail.
 */
const mailNames = ({ id, orderId, isAutomatic, mails: place }: Told): string[] => {
  if (place > 1) return [`parcel:${id}:${place}`];
  return isAutomatic ? [statusMail(orderId), `parcel:${id}`] : [`parcel:${id}`];
};

const statusMail = (orderId: string) => `out_for_delivery:${orderId}`;
