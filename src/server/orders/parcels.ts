/** What staff do with the parcels of an order. Rule: docs/rules/orders-and-payment.md, Parcels */
import { eq } from 'drizzle-orm';
import type { BodyOf } from '../../shared/contract';
import { statusLabels } from '../../shared/orders';
import { unitsOf } from '../../shared/orderUnits';
import { deleteParcelMs, parcelMessages as messages } from '../../shared/parcels';
import { type Audited, changed, notKept, writeAudit } from '../audit/service';
import { liveChanged } from '../db/core/changes';
import type { Tx } from '../db/core/transact';
import { orders, parcels, type OrderStatus } from '../db/schema/tables';
import type { Actor } from '../http/contract/access';
import { conflict, invalid, notFound } from '../http/core/problems';
import { lockOrder, moveOrder } from './lifecycle';
import { insertParcel, mailAbout, type ParcelRow, removeParcel, type UnitsOfLine } from './parcelRows';
import { findOrder, type FullOrder } from './repository';
import { orderNotFound } from './service';

type StaffCall = { by: Actor & { userId: string }; now: Date };

/** What identifies a parcel reveals a person's address, so the log does not keep it. */
const personal = ['trackingNumber', 'trackingUrl'];

/**
 * Ships units of an order. The last unit makes the order OUT_FOR_DELIVERY, as if staff had set it.
 * @throws Problem 404 order_not_found, 409 nothing_left_to_ship; 400 invalid_request for a line of another order
 */
export async function createParcel(
  tx: Tx,
  orderId: string,
  { carrier, trackingNumber = null, trackingUrl = null, notify, lines: selected }: BodyOf<'createParcel'>,
  { by, now }: StaffCall,
): Promise<void> {
  const order = await requireLocked(tx, orderId);
  const lines = selected.map((line) => ({ ...line, orderItemId: line.orderItemId.toLowerCase() }));
  const left = requireLeft(order, lines);
  const isLast = order.status === 'PAID' && left === 0;
  const madeStatus = isLast ? ('OUT_FOR_DELIVERY' as const) : null;
  const sent = { orderId, carrier, trackingNumber, trackingUrl };
  const row = { ...sent, madeStatus, byUserId: by.userId, shippedAt: now };
  await insertParcel(tx, order, { ...row, lines, notify });
  const after = { carrier, ...(trackingNumber !== null && { trackingNumber: notKept }), lines };
  await audit(tx, orderId, 'order.parcel_created', { by, now }, { after });
  if (isLast) await moveBySelf(tx, order, 'OUT_FOR_DELIVERY', { by, now });
  else liveChanged(tx, order.userId, 'orders');
}

const findUnitsLeft = (order: FullOrder): number =>
  [...unitsOf(order).values()].reduce((sum, { leftToShip }) => sum + leftToShip, 0);

/** @returns how many units are left after these. @throws Problem 409 nothing_left_to_ship */
function requireLeft(order: FullOrder, lines: readonly UnitsOfLine[]): number {
  const units = unitsOf(order);
  const left = findUnitsLeft(order);
  for (const { orderItemId, quantity } of lines) {
    const item = order.items.find(({ id }) => id === orderItemId);
    if (!item) throw invalid(messages.isNoLine);
    const leftOfLine = units.get(item.id)?.leftToShip ?? 0;
    if (left === 0) throw conflict('nothing_left_to_ship', messages.nothingLeft);
    if (quantity > leftOfLine) throw conflict('nothing_left_to_ship', messages.onlyLeft(leftOfLine, item.productName));
  }
  return lines.reduce((sum, { quantity }) => sum - quantity, left);
}

/**
 * Changes how a parcel is tracked. The customer gets a mail about it only if staff ask for it.
 * @throws Problem 404 parcel_not_found
 */
export async function updateParcel(
  tx: Tx,
  orderId: string,
  parcelId: string,
  { notify, ...change }: BodyOf<'updateParcel'>,
  { by, now }: StaffCall,
): Promise<void> {
  const { order, parcel } = await requireParcel(tx, orderId, parcelId);
  const facts = changed({ ...parcel }, change, personal);
  if (facts) {
    await tx.update(parcels).set(change).where(eq(parcels.id, parcel.id));
    // the automatic parcel's link is the order's own, for clients that know no parcels
    if (parcel.isAutomatic && change.trackingUrl !== undefined)
      await tx.update(orders).set({ shipmentTrackingUrl: change.trackingUrl }).where(eq(orders.id, orderId));
    await audit(tx, orderId, 'order.parcel_changed', { by, now }, facts);
  }
  if (notify) await mailAbout(tx, order, parcel, now);
  if (facts || notify) liveChanged(tx, order.userId, 'orders');
}

/**
 * Deletes a parcel. Its units are left to ship again, so an order that was on its way is only paid again.
 * @throws Problem 404 parcel_not_found, 409 parcel_final
 */
export async function deleteParcel(tx: Tx, orderId: string, parcelId: string, { by, now }: StaffCall): Promise<void> {
  const { order, parcel } = await requireParcel(tx, orderId, parcelId);
  if (order.status !== 'PAID' && order.status !== 'OUT_FOR_DELIVERY')
    throw conflict('parcel_final', messages.isOver(statusLabels[order.status]));
  const isRecent = now.getTime() - parcel.shippedAt.getTime() <= deleteParcelMs;
  if (!isRecent && parcel.mails > 0) throw conflict('parcel_final', messages.isNotified);
  await removeParcel(tx, parcel);
  await audit(tx, orderId, 'order.parcel_deleted', { by, now });
  const after = await findOrder(tx, orderId);
  const isToShip = after?.parcels.length === 0 || (after && findUnitsLeft(after) > 0);
  if (order.status === 'PAID' || !isToShip) return liveChanged(tx, order.userId, 'orders');
  // an undone status would take along what made it
  await tx.update(parcels).set({ madeStatus: null }).where(eq(parcels.orderId, orderId));
  await moveBySelf(tx, order, 'PAID', { by, now });
}

/**
 * After a refund took the last units that were left to ship, what was shipped is all of the order. The caller has locked it.
 * Rule: docs/rules/orders-and-payment.md, Parcels
 */
export async function moveIfAllShipped(tx: Tx, orderId: string, now: Date): Promise<void> {
  const [parcel] = await tx.select({ id: parcels.id }).from(parcels).where(eq(parcels.orderId, orderId)).limit(1);
  const order = parcel && (await findOrder(tx, orderId));
  if (order?.status !== 'PAID' || findUnitsLeft(order) > 0) return;
  await moveOrder(tx, orderId, { status: 'OUT_FOR_DELIVERY', byUserId: null, at: now, note: messages.restRefunded });
}

/** A parcel that takes the last unit, or is deleted, moves its order. */
async function moveBySelf(tx: Tx, order: FullOrder, status: OrderStatus, { by, now }: StaffCall): Promise<void> {
  await moveOrder(tx, order.id, { status, byUserId: by.userId, at: now });
  const [before, after] = [{ status: order.status }, { status }];
  await audit(tx, order.id, 'order.status_changed', { by, now }, { before, after });
}

async function requireLocked(tx: Tx, orderId: string): Promise<FullOrder> {
  const order = (await lockOrder(tx, orderId)) && (await findOrder(tx, orderId));
  if (!order) throw orderNotFound();
  return order;
}

async function requireParcel(
  tx: Tx,
  orderId: string,
  parcelId: string,
): Promise<{ order: FullOrder; parcel: ParcelRow }> {
  const order = (await lockOrder(tx, orderId)) && (await findOrder(tx, orderId));
  const parcel = order?.parcels.find(({ id }) => id === parcelId.toLowerCase());
  if (!order || !parcel) throw notFound('parcel_not_found', messages.notFound);
  return { order, parcel };
}

type ParcelAction = 'order.parcel_created' | 'order.parcel_changed' | 'order.parcel_deleted' | 'order.status_changed';

const audit = (
  tx: Tx,
  orderId: string,
  action: ParcelAction,
  call: StaffCall,
  facts: Pick<Audited, 'before' | 'after'> = {},
) => writeAudit(tx, { ...call, action, target: { kind: 'order', id: orderId }, ...facts });
