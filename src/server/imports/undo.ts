/**
 * Undoes a batch of an import's rows in one transaction. Products that it created are archived. A field that it changed goes
 * back if it still is as the import left it, and so do the units that it booked. Photos that it added to other products are
 * removed, and so are the addresses that it made.
 */
import { importErrors } from '../../shared/imports';
import type { Schema } from '../../shared/contract';
import { applyPlan, planRow, readKnown, type Known } from '../catalog/importPlan';
import { asForm } from '../catalog/productFacts';
import { takeBackAliases } from '../catalog/aliases';
import { forgetSlug, releaseSlugs } from '../catalog/slugs';
import { changeProducts } from '../catalog/staffProducts';
import type { Tx } from '../db/core/transact';
import type { RowUndo } from '../db/schema/imports';
import { undoPhotos } from '../pictures/undoPhotos';
import { senderOf } from './apply';
import { deleteSources, findAddressesElsewhere, saveSources, type ImportRecord, type StoredRow } from './repository';

type Kept = Schema<'ImportProblem'>;

/** @returns the rows with what did not go back */
export async function undoRows(
  tx: Tx,
  { id: importId, source, runBy }: ImportRecord,
  rows: readonly StoredRow[],
  now: Date,
): Promise<StoredRow[]> {
  if (runBy === null || rows.length === 0) return [];
  const made = rows.flatMap(({ undo, productId }) => (undo === null && productId !== null ? [productId] : []));
  if (made.length > 0) {
    await changeProducts(tx, made, 'archive', { userId: runBy, requestId: null }, now);
    await releaseSlugs(tx, made);
  }
  const changed = rows.filter(({ undo }) => undo !== null);
  const files = changed.map(({ line, productId }) => csvRow(line, { id: productId ?? '' }));
  const known = await readKnown(tx, files, { isLocked: true });
  const by = { userId: runBy, requestId: null };
  const keeping = await undoPhotos(tx, [...known.products.keys()], { importId, by, now });
  const done: StoredRow[] = [];
  for (const row of rows) {
    const kept = await undoRow(tx, row, known, runBy, now);
    if (keeping.has(row.productId ?? '')) kept.push(keepOf(row)('photos', importErrors.changedSince));
    done.push({ ...row, state: 'undone', kept });
  }
  await deleteSources(
    tx,
    source,
    rows.filter(isFirst).flatMap(({ extras: { key } }) => key ?? []),
  );
  await takeBackAliases(tx, await aliasesOf(tx, importId, rows));
  const former = changed.filter((row) => !isFirst(row)).flatMap((row) => formerSource(source, row));
  await saveSources(tx, former);
  return done;
}

/** The old addresses that lead to their products by these rows, unless another import has them too. */
async function aliasesOf(tx: Tx, importId: string, rows: readonly StoredRow[]) {
  const taken = rows.flatMap(({ productId, extras: { oldAddress: path, addressBefore: before } }) =>
    productId === null || path === undefined || before === undefined ? [] : [{ path, productId, before }],
  );
  const ids = taken.map(({ productId }) => productId);
  const elsewhere = await findAddressesElsewhere(tx, importId, ids);
  return taken.filter(({ productId, path }) => !elsewhere.has(`${productId} ${path}`));
}

/** Whether no earlier file had the entry. */
const isFirst = ({ undo }: StoredRow) => undo?.sourceUnits === undefined;

const formerSource = (source: ImportRecord['source'], { extras: { key }, productId, undo }: StoredRow) =>
  key === null || productId === null ? [] : [{ source, key, productId, units: undo?.sourceUnits ?? null }];

const csvRow = (line: number, cells: Record<string, string>) => ({
  line,
  cells: new Map(Object.entries(cells)),
  cellOf: () => undefined,
});

/** @returns the fields that stay */
async function undoRow(tx: Tx, row: StoredRow, known: Known, userId: string, now: Date): Promise<Kept[]> {
  const { line, productId, undo } = row;
  const product = known.products.get(productId ?? '');
  if (!undo || !product) return [];
  const is: Record<string, string> = {
    ...asForm(product, product.category.name),
    sizeGroup: product.sizeGroup ?? '',
  };
  const keep = keepOf(row);
  const { back, kept } = fieldsBack(undo, is, keep);
  const quantity = product.quantity - undo.units;
  if (quantity < 0) kept.push(keep('quantity', importErrors.stockSold));
  else if (undo.units !== 0) Object.assign(back, { quantity: String(quantity), quantityWas: String(product.quantity) });
  if (Object.keys(back).length === 0) return kept;
  const file = csvRow(line, { id: product.id, ...back });
  const planned = planRow(file, { ...known, ...(await readKnown(tx, [file], { isLocked: true })) }, new Set());
  if (planned.action === 'refuse')
    return [...kept, ...planned.errors.map(({ field, message }) => keep(field, message))];
  await applyPlan(tx, planned, senderOf(userId, now), now);
  const { slug = '' } = undo.after;
  if (undo.isNewSlug && back['slug'] !== undefined) await forgetSlug(tx, { productId: product.id, slug });
  return kept;
}

/** Names a field that stays, with its column in the file. */
const keepOf =
  ({ line, name, extras }: StoredRow) =>
  (field: string, message: string): Kept => ({ line, name, column: extras.places[field]?.column ?? field, message });

/** A field that someone has changed since the import stays. */
function fieldsBack(
  { before, after }: RowUndo,
  is: Readonly<Record<string, string>>,
  keep: (field: string, message: string) => Kept,
): { back: Record<string, string>; kept: Kept[] } {
  const fields = Object.keys(after);
  const stays = fields.filter((field) => is[field] !== after[field] && is[field] !== before[field]);
  const back = fields.filter((field) => is[field] === after[field]);
  return {
    back: Object.fromEntries(back.map((field) => [field, before[field] ?? ''])),
    kept: stays.map((field) => keep(field, importErrors.changedSince)),
  };
}
