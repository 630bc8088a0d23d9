import { useEffect, useState } from 'react';
import type { Schema } from '../../../shared/contract';
import { unitsLeft } from '../../../shared/orderUnits';
import { type Carrier, recognizeCarrier } from '../../../shared/parcels';
import { newKey } from '../../server/keys';
import { useSession } from '../../server/session';
import { findSavedChanges, useSavedChanges } from '../useStaffDraft';
import { readLastCarrier, writeLastCarrier } from './lastCarrier';
import type { Order } from './queries';
import { readEntries, type ShipEntries, type ShipEntry, writeEntries } from './shippingDraft';

const draft = 'ship orders';
const blank: ShipEntry = { number: '', isWithoutNumber: false };

/** An order that is sent: a parcel with all that is left in it. */
export interface Shipment {
  orderId: string;
  key: string;
  body: Schema<'NewParcel'>;
  /** The parcels that the order had already. */
  before: Schema<'Parcel'>[];
}

/** What is entered for each order, kept in the tab. */
export function useShipEntries() {
  const userId = useSession()?.id ?? '';
  const [entries, setEntries] = useState(() => ({ ...readEntries(userId), ...savedAtLogout() }));
  const [lastCarrier, setLastCarrier] = useState(readLastCarrier);
  useSavedChanges(draft, () => Object.entries(entries));
  useEffect(() => writeEntries(userId, entries), [userId, entries]);
  const put = (orderId: string, entry: ShipEntry) => setEntries((before) => ({ ...before, [orderId]: entry }));
  const entryOf = (orderId: string): ShipEntry & { carrier: Carrier } => ({
    carrier: lastCarrier,
    ...(entries[orderId] ?? blank),
  });
  return {
    entryOf,
    hasEntry: (orderId: string) => entries[orderId] !== undefined,
    /** A number that looks like a carrier's chooses the carrier. */
    enterNumber: (orderId: string, number: string) => {
      const { carrier, ...entry } = entryOf(orderId);
      put(orderId, { ...entry, number, isWithoutNumber: false, carrier: recognizeCarrier(number) ?? carrier });
    },
    chooseCarrier: (orderId: string, carrier: Carrier) => {
      put(orderId, { ...entryOf(orderId), carrier });
      setLastCarrier(carrier);
      writeLastCarrier(carrier);
    },
    shipWithoutNumber: (orderId: string, isWithoutNumber: boolean) =>
      put(orderId, { ...entryOf(orderId), number: '', isWithoutNumber }),
    /** @returns what to send; kept with its key first, so that the same is sent again after a reload */
    prepare: (orders: readonly Order[]): Shipment[] => {
      const shipments = orders.map((order) => shipmentOf(order, entryOf(order.id)));
      const sent = shipments.map(({ orderId, key, body }): [string, ShipEntry] => [
        orderId,
        { ...entryOf(orderId), sent: { key, body: JSON.stringify(body) } },
      ]);
      const next = { ...entries, ...Object.fromEntries(sent) };
      writeEntries(userId, next); // before the first call, and not after the next render
      setEntries(next);
      return shipments;
    },
    /** After Undo: what was entered, to be sent with a new key. */
    restore: (orderId: string, { sent: _sent, ...entry }: ShipEntry) => put(orderId, entry),
    /** Also of orders that a colleague has shipped meanwhile. */
    forget: (...orderIds: string[]) => setEntries((before) => without(before, ...orderIds)),
  };
}

export const without = <Value>(all: Readonly<Record<string, Value>>, ...ids: string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([id]) => !ids.includes(id)));

const savedAtLogout = () => Object.fromEntries(findSavedChanges(draft)) as ShipEntries;

export const isReady = (order: Order, { number, isWithoutNumber }: ShipEntry): boolean =>
  unitsLeft(order) > 0 && (number.trim() !== '' || isWithoutNumber);

/** The same parcel as before has the same key. */
function shipmentOf(order: Order, { carrier, number, sent }: ShipEntry & { carrier: Carrier }): Shipment {
  const lines = order.orderItems
    .filter(({ leftToShip }) => leftToShip > 0)
    .map(({ orderItemId, leftToShip: quantity }) => ({ orderItemId, quantity }));
  const body = { lines, carrier, trackingNumber: number.trim() || null, notify: true };
  const key = sent?.body === JSON.stringify(body) ? sent.key : newKey();
  return { orderId: order.id, key, body, before: order.parcels ?? [] };
}
