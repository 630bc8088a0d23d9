/** Imports a batch of rows in one transaction. */
import { keepAliases, type Alias } from '../catalog/aliases';
import { applyPlan, createPlanned } from '../catalog/importPlan';
import { createCategory } from '../catalog/service';
import { findSlugs } from '../catalog/slugs';
import type { Tx } from '../db/core/transact';
import type { productSources } from '../db/schema/tables';
import type { RowUndo } from '../db/schema/imports';
import { queuePhotos, type WantedPhotos } from '../pictures/photoFetches';
import { prepareRows, type PreparedRow } from './prepare';
import { actionOf, problemsOf } from './preview';
import { saveSources, type ImportRecord, type StoredRow } from './repository';
import type { ImportedRow } from './rows';

/** @returns the rows with their outcome; a row that does not fit any more has become wrong */
export async function applyRows(
  tx: Tx,
  found: ImportRecord,
  stored: readonly StoredRow[],
  now: Date,
): Promise<StoredRow[]> {
  const { id, source, runBy } = found;
  if (stored.length === 0 || runBy === null) return [];
  const prepared = await prepareWithCategories(tx, found, stored, runBy, now);
  const rows = prepared.flatMap((row, at) => {
    const before = stored[at];
    return before ? [{ row, before }] : [];
  });
  const slugs = await findSlugs(tx, prepared.flatMap(newSlugOf));
  const productIds = await applyAll(tx, found, rows, senderOf(runBy, now));
  const sources: (typeof productSources.$inferInsert)[] = [];
  const aliases: Alias[] = [];
  const photos: WantedPhotos[] = [];
  const done: StoredRow[] = [];
  for (const { row, before } of rows) {
    if (row.planned.action === 'refuse') {
      done.push({ ...before, action: 'wrong', problems: problemsOf(row.row, row.planned) });
      continue;
    }
    const { key, oldAddress, units = row.link?.units ?? null } = before.extras;
    const productId = productIds.get(row);
    if (productId === undefined) continue;
    if (key !== null) sources.push({ source, key, productId, units });
    if (oldAddress !== undefined) aliases.push({ path: oldAddress, productId });
    photos.push({ productId, photos: row.photos.map((photo) => ({ ...photo, line: before.line })) });
    done.push({ ...before, action: actionOf(row.planned.action), state: 'done', productId, undo: undoOf(row, slugs) });
  }
  await saveSources(
    tx,
    uniqueBy(sources, ({ key }) => key),
  );
  const kept = uniqueBy(aliases, ({ path }) => path);
  const before = await keepAliases(tx, kept, now);
  await queuePhotos(tx, photos, { importId: id, byUserId: runBy, now });
  const isTaken = new Set(kept.filter(({ path }) => before.has(path)).map(keyOf));
  return done.map((row) => {
    const { oldAddress: path = '' } = row.extras;
    if (!isTaken.has(keyOf({ path, productId: row.productId ?? '' }))) return row;
    return { ...row, extras: { ...row.extras, addressBefore: before.get(path) ?? null } };
  });
}

const keyOf = ({ path, productId }: Alias) => `${productId} ${path}`;

type Row = { row: PreparedRow; before: StoredRow };

/** Changes products one after the other, then creates the new ones together. @returns the product of each row */
async function applyAll(
  tx: Tx,
  { firstCreatedAt }: ImportRecord,
  rows: readonly Row[],
  sender: ReturnType<typeof senderOf>,
): Promise<Map<PreparedRow, string>> {
  const productIds = new Map<PreparedRow, string>();
  const first = (firstCreatedAt ?? sender.now).getTime();
  const added: Row[] = [];
  const note = ({ row }: Row, id: string | null | undefined) => id && productIds.set(row, id);
  for (const each of rows) {
    const { planned } = each.row;
    if (planned.action === 'create') added.push(each);
    else if (planned.action !== 'refuse') note(each, await applyPlan(tx, planned, sender, sender.now));
  }
  const ids = await createPlanned(
    tx,
    added.map(({ row: { planned }, before: { position, extras } }) => {
      return { planned, createdAt: new Date(first + position), isArchived: extras.isArchived ?? false };
    }),
    sender,
  );
  for (const [at, each] of added.entries()) note(each, ids[at]);
  return productIds;
}

/** Creates the categories that the rows need first. */
async function prepareWithCategories(
  tx: Tx,
  found: ImportRecord,
  stored: readonly StoredRow[],
  runBy: string,
  now: Date,
): Promise<PreparedRow[]> {
  const prepare = () => prepareRows(tx, found.source, stored.map(importedRow), { isLocked: true, seen: new Set() });
  const prepared = await prepare();
  const needed = prepared.flatMap(({ newCategory, planned }) => (newCategory && planned.form ? [newCategory] : []));
  if (needed.length === 0) return prepared;
  const { by } = senderOf(runBy, now);
  for (const { name, title } of uniqueBy(needed, (category) => category.name))
    await createCategory(tx, { name, title, description: title ?? name }, by, now);
  return prepare();
}

const noPicture = async () => undefined; // an imported form has no file

/** The import's changes are recorded under the person who started it. */
export const senderOf = (byUserId: string, now: Date) => ({
  byUserId,
  by: { userId: byUserId, requestId: null },
  now,
  acceptPicture: noPicture,
  isImport: true as const,
});

const importedRow = ({ line, cells, extras, notes }: StoredRow): ImportedRow => ({
  line,
  cells: new Map(Object.entries(cells)),
  notes,
  ...extras,
});

/** One statement can't write a key twice. The last one counts. */
const uniqueBy = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
];

/** The readable address that a product is changed to. */
const newSlugOf = ({ planned: { action, texts = [] } }: PreparedRow): string[] =>
  action === 'change' ? texts.flatMap(({ field, to }) => (field === 'slug' && to !== '' ? [to] : [])) : [];

/**
 * The texts before and after, of a product that was changed.
 * @param slugs the readable addresses that products had before
 */
function undoOf(row: PreparedRow, slugs: ReadonlyMap<string, string>): RowUndo | null {
  const { planned, link } = row;
  const { action, texts = [], form } = planned;
  if (action !== 'change' || !form) return null;
  const units = form.quantityWas === undefined ? 0 : form.quantity - form.quantityWas;
  const facts = texts.filter(({ field }) => field !== 'quantity');
  return {
    before: Object.fromEntries(facts.map(({ field, from }) => [field, from])),
    after: Object.fromEntries(facts.map(({ field, to }) => [field, to])),
    units,
    ...(link && { sourceUnits: link.units }),
    ...(newSlugOf(row).some((slug) => !slugs.has(slug)) && { isNewSlug: true }),
  };
}
