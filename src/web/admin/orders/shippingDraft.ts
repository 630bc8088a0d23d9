/**
 * What was entered on the page Ship orders and is not saved yet. It stays in this tab, so that a reload loses no number,
 * and neither the key of an order whose answer did not arrive: sent again with it, the order is shipped once.
 */
import { shippingKey } from '../../../shared/deviceNames';
import type { Carrier } from '../../../shared/parcels';
import { attempt } from '../../browser/attempt';

export interface ShipEntry {
  /** Undefined until it is chosen, or a number is entered. */
  carrier?: Carrier;
  number: string;
  isWithoutNumber: boolean;
  /** The last attempt whose answer did not arrive. */
  sent?: { key: string; body: string };
}

/** By the order's id. */
export type ShipEntries = Readonly<Record<string, ShipEntry>>;

export function readEntries(userId: string): ShipEntries {
  const text = attempt(() => sessionStorage.getItem(shippingKey)) ?? 'null';
  const saved = attempt(() => JSON.parse(text) as { userId: string; entries: ShipEntries } | null);
  return saved?.userId === userId ? saved.entries : {};
}

export function writeEntries(userId: string, entries: ShipEntries): void {
  attempt(() => {
    if (Object.keys(entries).length === 0) sessionStorage.removeItem(shippingKey);
    else sessionStorage.setItem(shippingKey, JSON.stringify({ userId, entries }));
  });
}
