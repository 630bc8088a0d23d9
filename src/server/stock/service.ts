/**
 * The only module that changes stock. Every movement is a row of the ledger. Units are taken by one conditional update
 * of products locked in the order of their ids, which prevents overselling and deadlocks between orders. The database
 * check quantity >= 0 is the second line of defense.
 */
import { eq, sql } from 'drizzle-orm';
import { catalogLimits, stockMessages } from '../../shared/catalogStaff';
import { cardsChanged, quantitiesChanged } from '../db/core/changes';
import { allProducts, products, stockMovements } from '../db/schema/tables';
import { statement, type Tx } from '../db/core/transact';
import { conflict } from '../http/core/problems';

export type StockLine = { productId: string; units: number };
export type StockOf = { orderId: string; lines: readonly StockLine[]; now: Date };

/** Locks the products until the end of the transaction, in the order of their ids. */
async function lockProducts(tx: Tx, productIds: readonly string[]): Promise<void> {
  await tx.execute(sql`select 1 from products where id = any(${uuids(productIds)}) order by id for no key update`);
}

/**
 * Takes an order's units from the shelf, either all lines or none. The caller has locked the products in id order.
 * @returns the products without enough units; the caller must then throw, which rolls back the rest
 */
export async function holdStock(tx: Tx, { orderId, lines, now }: StockOf): Promise<string[]> {
  const rows = await hold(tx, [idsOf(lines), lines.map(({ units }) => units), orderId, now]);
  return missingOf(tx, lines, rows);
}

// a prepared statement in plain SQL, since every order runs it
const hold = statement<Changed>(
  'hold_stock',
  `with taken as (
    update products set quantity = quantity - line.units
    from unnest($1::uuid[], $2::int[]) as line(product_id, units)
    where products.id = line.product_id and products.quantity >= line.units
    returning products.id, line.units, category_id, size_group is not null and quantity = 0 as "changesCard"
  ), written as (
    insert into stock_movements (product_id, kind, shelf, held, order_id, at)
    select id, 'hold', -units, units, $3, $4 from taken
  )
  select id, category_id as "categoryId", "changesCard" from taken`,
);

/** Sells held units after payment: they leave the shop. */
export async function sellHeldStock(tx: Tx, stock: StockOf): Promise<void> {
  await writeLines(tx, stock, (units) => ({ kind: 'sale', shelf: 0, held: -units }));
}

/**
 * Sells the units of a canceled order that turned out to be paid from the shelf, if they are still there.
 * @returns the products without enough units; nothing was taken or written then
 */
export async function sellFromShelf(tx: Tx, stock: StockOf): Promise<string[]> {
  const { lines } = stock;
  await lockProducts(tx, idsOf(lines));
  const missing = await findMissing(tx, lines);
  if (missing.length > 0) return missing;
  await takeFromShelf(tx, lines);
  await writeLines(tx, stock, (units) => ({ kind: 'sale', shelf: -units, held: 0 }));
  return [];
}

/** Releases the units of an unpaid order to the shelf. The ledger rejects a second release of the same order. */
export async function releaseStock(tx: Tx, stock: StockOf): Promise<void> {
  await putOnShelf(tx, stock, (units) => ({ kind: 'release', shelf: units, held: -units }));
}

/**
 * Returns units of a sold order to the shelf, as part of its refund.
 * @param byUserId null when the shop itself made the refund
 */
export async function restockSold(
  tx: Tx,
  { reason, byUserId, ...stock }: StockOf & { reason: string; byUserId: string | null },
): Promise<void> {
  await putOnShelf(tx, stock, (units) => ({ kind: 'adjustment', shelf: units, held: 0, reason, byUserId }));
}

export type Adjustment = StockLine & { reason: string; byUserId: string | null; now: Date };

/**
 * Adds (above 0) or removes (below 0) units by hand.
 * @throws Problem 409 not_enough_stock when removing more than are on the shelf, 409 too_many_units
 */
export async function adjustStock(tx: Tx, { productId, units, reason, byUserId, now }: Adjustment): Promise<void> {
  if (units === 0) return;
  const changed = await tx
    .update(products)
    .set({ quantity: sql`${products.quantity} + ${units}` })
    .where(
      sql`${eq(products.id, productId)} and ${products.quantity} + ${units} between 0 and ${catalogLimits.quantity}`,
    )
    .returning({
      id: products.id,
      categoryId: products.categoryId,
      sizeGroup: products.sizeGroup,
      quantity: products.quantity,
    });
  if (changed.length === 0)
    throw units < 0
      ? conflict('not_enough_stock', stockMessages.tooFew)
      : conflict('too_many_units', stockMessages.tooMany);
  await writeMovements(tx, [{ productId, kind: 'adjustment', shelf: units, held: 0, byUserId, reason, at: now }]);
  const asChanged = ({ id, categoryId, sizeGroup, quantity }: (typeof changed)[number]): Changed => ({
    id,
    categoryId,
    changesCard: sizeGroup !== null && (quantity === 0 || quantity === units),
  });
  stockChanged(tx, [productId], changed.map(asChanged));
}

/** The first ledger rows of new products, whose quantities already include the units. */
export async function writeOpeningStock(
  tx: Tx,
  lines: readonly StockLine[],
  { byUserId, now }: Pick<Adjustment, 'byUserId' | 'now'>,
): Promise<void> {
  const opening = { kind: 'adjustment', held: 0, byUserId, reason: 'Starting stock', at: now } as const;
  const stocked = lines.filter(({ units }) => units > 0);
  if (stocked.length === 0) return;
  await writeMovements(
    tx,
    stocked.map(({ productId, units }) => ({ ...opening, productId, shelf: units })),
  );
}

async function putOnShelf(tx: Tx, stock: StockOf, asMovement: AsMovement): Promise<void> {
  const productIds = idsOf(stock.lines);
  await lockProducts(tx, productIds);
  const { rows } = await tx.execute<Changed>(sql`
    update products set quantity = quantity + line.units
    from ${asTable(stock.lines)} where products.id = line.product_id
    returning products.id, category_id as "categoryId", size_group is not null and quantity = line.units as "changesCard"`);
  await writeLines(tx, stock, asMovement);
  stockChanged(tx, productIds, rows);
}

async function takeFromShelf(tx: Tx, lines: readonly StockLine[]): Promise<string[]> {
  const { rows } = await tx.execute<Changed>(sql`
    update products set quantity = quantity - line.units
    from ${asTable(lines)} where products.id = line.product_id and products.quantity >= line.units
    returning products.id, category_id as "categoryId", size_group is not null and quantity = 0 as "changesCard"`);
  return missingOf(tx, lines, rows);
}

/** Publishes the changed quantities. @returns the products that were not taken */
function missingOf(tx: Tx, lines: readonly StockLine[], taken: readonly Changed[]): string[] {
  const productIds = idsOf(lines);
  stockChanged(tx, productIds, taken);
  const ids = new Set(taken.map(({ id }) => id));
  return productIds.filter((productId) => !ids.has(productId));
}

/** `changesCard`: a size that sold out or came back, so another one may be shown for its group. */
type Changed = { id: string; categoryId: string; changesCard: boolean };

/** Such a change moves a card, also between pages that didn't show the product. */
function stockChanged(tx: Tx, productIds: readonly string[], changed: readonly Changed[]): void {
  quantitiesChanged(tx, productIds);
  const categories = changed.filter(({ changesCard }) => changesCard).map(({ categoryId }) => categoryId);
  if (categories.length > 0) cardsChanged(tx, new Set([...categories, allProducts]));
}

async function findMissing(tx: Tx, lines: readonly StockLine[]): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select line.product_id as id from ${asTable(lines)}
    join products on products.id = line.product_id where products.quantity < line.units`);
  return rows.map(({ id }) => id);
}

type Movement = typeof stockMovements.$inferInsert;
/** The movement that a number of units of an order causes. */
type AsMovement = (units: number) => Omit<Movement, 'productId' | 'orderId' | 'at'>;

const writeLines = (tx: Tx, { orderId, lines, now }: StockOf, asMovement: AsMovement) =>
  writeMovements(
    tx,
    lines.map(({ productId, units }) => ({ productId, orderId, at: now, ...asMovement(units) })),
  );

const writeMovements = (tx: Tx, movements: Movement[]) => tx.insert(stockMovements).values(movements);

const idsOf = (lines: readonly StockLine[]) => lines.map(({ productId }) => productId);

const asTable = (lines: readonly StockLine[]) => sql`
  unnest(${uuids(idsOf(lines))}, ${sql.param(lines.map(({ units }) => units))}::int[])
  as line(product_id, units)`;

const uuids = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`;
