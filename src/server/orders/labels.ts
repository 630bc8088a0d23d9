/** Addresses and weights of chosen orders, for a label service. Rule: docs/rules/back-office.md, Packing */
import { inArray } from 'drizzle-orm';
import { unitsOf } from '../../shared/orderUnits';
import { labelList, labelOunces } from '../../shared/packing';
import type { Connection } from '../db/core/transact';
import { products, users } from '../db/schema/tables';
import { fileColumns } from '../http/csv/csvDownload';
import { readChosenOrders } from './packing';
import type { FullOrder } from './repository';

/** `ounces` undefined: the shipping weight of a product is unknown. */
export type Label = FullOrder & { email: string; ounces: number | undefined };

/**
 * @returns the chosen orders with something left to ship, by number
 * @throws Problem 404 order_not_found if one of them is missing
 */
export async function readLabels(connection: Connection, ids: readonly string[]): Promise<Label[]> {
  const { toShip } = await readChosenOrders(connection, ids);
  const emails = await findEmails(connection, [...new Set(toShip.map(({ userId }) => userId))]);
  const grams = await findGrams(connection, [
    ...new Set(toShip.flatMap(({ items }) => items.map(({ productId }) => productId))),
  ]);
  return toShip.map((order) => ({
    ...order,
    email: emails.get(order.userId) ?? '',
    ounces: ouncesLeft(order, grams),
  }));
}

function ouncesLeft(order: FullOrder, grams: ReadonlyMap<string, number | null>): number | undefined {
  const unitsById = unitsOf(order);
  let sum = 0;
  for (const { id, productId } of order.items) {
    const units = unitsById.get(id)?.leftToShip ?? 0;
    const each = grams.get(productId) ?? undefined;
    if (units === 0) continue;
    if (each === undefined) return undefined;
    sum += units * each;
  }
  return labelOunces(sum);
}

async function findEmails(connection: Connection, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, email } = users;
  const rows = await connection.select({ id, email }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map((row) => [row.id, row.email]));
}

/** The present weight counts: it is what is put into the box. */
async function findGrams(connection: Connection, ids: string[]): Promise<Map<string, number | null>> {
  if (ids.length === 0) return new Map();
  const { id, shippingGrams } = products;
  const rows = await connection.select({ id, shippingGrams }).from(products).where(inArray(products.id, ids));
  return new Map(rows.map((row) => [row.id, row.shippingGrams]));
}

export const labelColumns = fileColumns<typeof labelList, Label>(labelList, {
  orderNumber: ({ orderNumber }) => orderNumber,
  customer: ({ customer }) => customer,
  company: ({ company }) => company,
  street: ({ street }) => street,
  street2: ({ street2 }) => street2,
  city: ({ city }) => city,
  state: ({ state }) => state,
  postalCode: ({ postalCode }) => postalCode,
  country: () => 'US',
  // a plus sign would be marked as a formula, and the label would have the mark
  phone: ({ phone }) => phone.replace(/^\+/, ''),
  email: ({ email }) => email,
  ounces: ({ ounces }) => ounces,
});
