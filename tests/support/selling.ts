/** What a test's owner sets for the total of orders. */
import { randomUUID } from 'node:crypto';
import { deliveryMethods, discounts, taxRates } from '../../src/server/db/schema/tables';
import { placeOrder } from './buying';
import type { Person, TestShop } from './shop';

type Without<Row, Given extends keyof Row> = Partial<Omit<Row, Given>>;

/** @returns the id of a new method; by default it serves all states for $5 */
export async function offerDelivery(
  shop: TestShop,
  method: Without<typeof deliveryMethods.$inferInsert, 'id' | 'createdAt'> = {},
): Promise<string> {
  const id = randomUUID();
  const createdAt = shop.clock.now();
  const given = { name: `Method ${id.slice(0, 8)}`, priceCents: 500, position: 0, ...method };
  await shop.db.insert(deliveryMethods).values({ ...given, id, createdAt });
  return id;
}

/** @param ratePpm in millionths: 57,500 is 5.75 % */
export async function collectTax(shop: TestShop, state: string, ratePpm: number, taxesDelivery = false): Promise<void> {
  const set = { ratePpm, taxesDelivery, changedAt: shop.clock.now() };
  await shop.db
    .insert(taxRates)
    .values({ state, ...set })
    .onConflictDoUpdate({ target: taxRates.state, set });
}

/** @returns a new code; by default 10 % off everything */
export async function makeCode(
  shop: TestShop,
  code: Without<typeof discounts.$inferInsert, 'id' | 'createdAt'> = {},
): Promise<string> {
  const id = randomUUID();
  const made = { code: `CODE-${id.slice(0, 8).toUpperCase()}`, kind: 'percent' as const, ...code };
  const percent = made.kind === 'percent' ? (made.percent ?? 10) : null;
  await shop.db.insert(discounts).values({ ...made, percent, id, createdAt: shop.clock.now() });
  return made.code;
}

/** Removes everything these helpers set. Orders keep their copies. */
export async function sellPlainly(shop: TestShop): Promise<void> {
  await shop.pool.query(`update delivery_methods set archived_at = now()`);
  await shop.pool.query(`delete from tax_rates`);
  await shop.pool.query(`update discounts set is_active = false`);
}

export const quote = (shop: TestShop, person: Person, body: object = {}) =>
  shop.call('quoteOrder', { as: person, path: { userId: person.userId, cartId: person.cartId }, body });

const address = { street: '12 Market Street', city: 'Atlanta', postalCode: '30303' };

/** Places the order of a customer's cart, for delivery in a state. */
export const orderTo = (shop: TestShop, person: Person, state: string, more: object = {}) =>
  placeOrder(shop, person, { customer: 'Example Customer', deliveryAddress: { ...address, state }, ...more });
