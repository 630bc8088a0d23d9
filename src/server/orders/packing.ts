/** What is left to pack in chosen orders, for pick lists and packing slips. Rule: docs/rules/back-office.md, Packing */
import { inArray } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { slipLines, unitsOf } from '../../shared/orderUnits';
import { byNumber, byShelf } from '../../shared/packing';
import { sizeFacts } from '../../shared/sizes';
import { pictureUrl } from '../catalog/present';
import type { Connection } from '../db/core/transact';
import { products } from '../db/schema/tables';
import type { Session } from '../http/contract/access';
import { presentOrder } from './present';
import { findOrders, type FullOrder } from './repository';
import { orderNotFound } from './service';

type Chosen = { toShip: FullOrder[]; nothingLeft: Schema<'OrdersWithNothingLeft'> };

/**
 * @returns the chosen orders with something left to ship, and the others, each sorted by number
 * @throws Problem 404 order_not_found if one of them is missing
 */
export async function readChosenOrders(connection: Connection, ids: readonly string[]): Promise<Chosen> {
  const orders = await findChosen(connection, ids);
  return { toShip: orders.filter(isLeft), nothingLeft: orders.filter((order) => !isLeft(order)).map(named) };
}

/**
 * @returns the chosen orders with a packing slip, also those that were shipped already, and the others, by number
 * @throws Problem 404 order_not_found if one of them is missing
 */
export async function readPackingSlips(connection: Connection, ids: readonly string[], viewer: Session) {
  const orders = await findChosen(connection, ids);
  const withSlip = orders.map((order) => presentOrder(order, viewer)).filter((order) => slipLines(order).length > 0);
  const printed = new Set(withSlip.map(({ id }) => id));
  return { orders: withSlip, nothingLeft: orders.filter(({ id }) => !printed.has(id)).map(named) };
}

async function findChosen(connection: Connection, ids: readonly string[]): Promise<FullOrder[]> {
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
  const orders = await findOrders(connection, distinct);
  if (orders.length < distinct.length) throw orderNotFound();
  return orders.toSorted(byNumber);
}

const named = ({ id, orderNumber, status }: FullOrder) => ({ orderId: id, orderNumber, orderStatus: status });

const isLeft = (order: FullOrder): boolean => [...unitsOf(order).values()].some(({ leftToShip }) => leftToShip > 0);

/**
 * What is left to ship in the chosen orders, merged by product and sorted by shelf and name.
 * @throws Problem 404 order_not_found if one of them is missing
 */
export async function readPickList(connection: Connection, ids: readonly string[]) {
  const { toShip, nothingLeft } = await readChosenOrders(connection, ids);
  const picked = pickByProduct(toShip);
  const rows = await findProducts(connection, [...picked.keys()]);
  const lines = rows.map(({ id, name, sku, barcode, shelf, pictureHash, ...size }): Schema<'PickListLine'> => {
    const orders = picked.get(id) ?? [];
    return {
      productId: id,
      productName: name,
      ...sizeFacts(size),
      sku,
      ...(barcode !== null && { barcode }),
      shelf,
      imageUrl: pictureUrl(pictureHash),
      units: orders.reduce((sum, { units }) => sum + units, 0),
      orders,
    };
  });
  return { lines: lines.toSorted(byShelf), nothingLeft };
}

type PickedFor = Schema<'PickListOrder'>[];

/** @returns the orders that need the product, with their units, by the product's id */
function pickByProduct(orders: readonly FullOrder[]): Map<string, PickedFor> {
  const picked = new Map<string, PickedFor>();
  for (const order of orders) {
    const unitsById = unitsOf(order);
    for (const { id, productId } of order.items) {
      const units = unitsById.get(id)?.leftToShip ?? 0;
      if (units === 0) continue;
      picked.set(productId, [
        ...(picked.get(productId) ?? []),
        { orderId: order.id, orderNumber: order.orderNumber, units },
      ]);
    }
  }
  return picked;
}

/** The staff pick what is on the shelf now, so its present name and size count, not those of the sale. */
async function findProducts(connection: Connection, ids: string[]) {
  if (ids.length === 0) return [];
  const { id, name, unitSize, netGrams, netMillilitres, sku, barcode, shelf, pictureHash } = products;
  return connection
    .select({ id, name, unitSize, netGrams, netMillilitres, sku, barcode, shelf, pictureHash })
    .from(products)
    .where(inArray(products.id, ids));
}
