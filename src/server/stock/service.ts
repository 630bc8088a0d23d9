/**
 * The only place where stock moves. Every movement is a row of the ledger; units are taken by one conditional update
 * over products that were locked in the order of their ids, so that nothing is oversold and no two orders wait for each
 * other. The database's check quantity >= 0 is a second wall behind it.
 */
import { eq, sql } from 'drizzle-orm';
import { catalogLimits } from '../../shared/catalog';
import { stockMessages } from '../../shared/catalogStaff';
import { quantitiesChanged } from '../db/core/changes';
import { products, stockMovements } from '../db/schema/tables';
import { statement, type Tx } from '../db/core/transact';
import { conflict } from '../http/core/problems';

export type StockLine = { productId: string; units: number };
export type StockOf = { orderId: string; lines: readonly StockLine[]; now: Date };

/** Locks the products for the rest of the transaction, in the order of their ids. */
async function lockProducts(tx: Tx, productIds: readonly string[]): Promise<void> {
  await tx.execute(sql`select 1 from products where id = any(${uuids(productIds)}) order by id for no key update`);
}

/**
 * Takes an order's units from the shelf: all lines, or none. The products are locked already, in the order of their ids.
 * @returns the products of which there were not enough; the caller refuses, which undoes the rest
 */
export async function holdStock(tx: Tx, { orderId, lines, now }: StockOf): Promise<string[]> {
  const rows = await hold(tx, [idsOf(lines), lines.map(({ units }) => units), orderId, now]);
  return missingOf(tx, lines, rows);
}

// of every order: in SQL, so that it has not to be built anew each time
const hold = statement<{ id: string }>(
  'hold_stock',
  `with taken as (
    update products set quantity = quantity - line.units
    from unnest($1::uuid[], $2::int[]) as line(product_id, units)
    where products.id = line.product_id and products.quantity >= line.units
    returning products.id, line.units
  )
  insert into stock_movements (product_id, kind, shelf, held, order_id, at)
  select id, 'hold', -units, units, $3, $4 from taken returning product_id as id`,
);

/** Held units have been paid for: they leave the shop. */
export async function sellHeldStock(tx: Tx, stock: StockOf): Promise<void> {
  await writeLines(tx, stock, (units) => ({ kind: 'sale', shelf: 0, held: -units }));
}

/**
 * A cancelled order turned out to be paid: its units are sold from the shelf, if they are still there.
 * @returns the products of which there are not enough; then nothing was taken and nothing written
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

/** An order ended unpaid: its units go back on the shelf. The ledger refuses a second release of the same order. */
export async function releaseStock(tx: Tx, stock: StockOf): Promise<void> {
  await putOnShelf(tx, stock, (units) => ({ kind: 'release', shelf: units, held: -units }));
}

/**
 * The units of an order that was sold come back on the shelf, with the refund that says so.
 * @param byUserId null when the shop itself gave the money back
 */
export async function restockSold(
  tx: Tx,
  { reason, byUserId, ...stock }: StockOf & { reason: string; byUserId: string | null },
): Promise<void> {
  await putOnShelf(tx, stock, (units) => ({ kind: 'adjustment', shelf: units, held: 0, reason, byUserId }));
}

export type Adjustment = StockLine & { reason: string; byUserId: string | null; now: Date };

/**
 * Counts units in (above 0) or out (below 0) by hand.
 * @throws Problem 409 not_enough_stock when fewer are on the shelf than are to go, 409 too_many_units
 */
export async function adjustStock(tx: Tx, { productId, units, reason, byUserId, now }: Adjustment): Promise<void> {
  if (units === 0) return;
  const changed = await tx
    .update(products)
    .set({ quantity: sql`${products.quantity} + ${units}` })
    .where(
      sql`${eq(products.id, productId)} and ${products.quantity} + ${units} between 0 and ${catalogLimits.quantity}`,
    )
    .returning({ id: products.id });
  if (changed.length === 0)
    throw units < 0
      ? conflict('not_enough_stock', stockMessages.tooFew)
      : conflict('too_many_units', stockMessages.tooMany);
  await writeMovements(tx, [{ productId, kind: 'adjustment', shelf: units, held: 0, byUserId, reason, at: now }]);
  quantitiesChanged(tx, [productId]);
}

/** The first row of a new product's ledger; the units stand in the product already. */
export async function writeOpeningStock(
  tx: Tx,
  { productId, units, byUserId, now }: Omit<Adjustment, 'reason'>,
): Promise<void> {
  const reason = 'Opening stock';
  if (units > 0)
    await writeMovements(tx, [{ productId, kind: 'adjustment', shelf: units, held: 0, byUserId, reason, at: now }]);
}

async function putOnShelf(tx: Tx, stock: StockOf, asMovement: AsMovement): Promise<void> {
  const productIds = idsOf(stock.lines);
  await lockProducts(tx, productIds);
  await tx.execute(sql`
    update products set quantity = quantity + line.units
    from ${asTable(stock.lines)} where products.id = line.product_id`);
  await writeLines(tx, stock, asMovement);
  quantitiesChanged(tx, productIds);
}

async function takeFromShelf(tx: Tx, lines: readonly StockLine[]): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    update products set quantity = quantity - line.units
    from ${asTable(lines)} where products.id = line.product_id and products.quantity >= line.units
    returning products.id`);
  return missingOf(tx, lines, rows);
}

/** Tells of what was taken. @returns the products that were not */
function missingOf(tx: Tx, lines: readonly StockLine[], taken: readonly { id: string }[]): string[] {
  const productIds = idsOf(lines);
  quantitiesChanged(tx, productIds);
  const ids = new Set(taken.map(({ id }) => id));
  return productIds.filter((productId) => !ids.has(productId));
}

async function findMissing(tx: Tx, lines: readonly StockLine[]): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select line.product_id as id from ${asTable(lines)}
    join products on products.id = line.product_id where products.quantity < line.units`);
  return rows.map(({ id }) => id);
}

type Movement = typeof stockMovements.$inferInsert;
/** What so many units of an order do to the stock. */
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
