/** Imports a batch of rows in one transaction. */
import { applyPlan } from '../catalog/importPlan';
import { createCategory } from '../catalog/service';
import type { Tx } from '../db/core/transact';
import type { productSources } from '../db/schema/tables';
import type { RowUndo } from '../db/schema/imports';
import { prepareRows, type PreparedRow } from './prepare';
import { actionOf, problemsOf } from './preview';
import { saveSources, type ImportRecord, type StoredRow } from './repository';
import type { ImportedRow } from './rows';

/** @returns the rows with their outcome; a row that does not fit any more has become wrong */
export async function applyRows(
  tx: Tx,
  { source, runBy, firstCreatedAt }: ImportRecord,
  stored: readonly StoredRow[],
  now: Date,
): Promise<StoredRow[]> {
  if (stored.length === 0 || runBy === null) return [];
  const by = { userId: runBy, requestId: null };
  const rows = stored.map(importedRow);
  let prepared = await prepareRows(tx, source, rows, { isLocked: true, seen: new Set() });
  const missing = new Map(
    prepared.flatMap(({ newCategory, planned }) =>
      newCategory && planned.form ? [[newCategory.name, newCategory] as const] : [],
    ),
  );
  for (const { name, title } of missing.values())
    await createCategory(tx, { name, title, description: title ?? name }, by, now);
  if (missing.size > 0) prepared = await prepareRows(tx, source, rows, { isLocked: true, seen: new Set() });
  const sources: (typeof productSources.$inferInsert)[] = [];
  const done: StoredRow[] = [];
  for (const [at, row] of prepared.entries()) {
    const before = stored[at];
    if (!before) continue;
    if (row.planned.action === 'refuse') {
      done.push({ ...before, action: 'wrong', problems: problemsOf(row.row, row.planned) });
      continue;
    }
    const sender = {
      byUserId: runBy,
      by,
      now,
      acceptPicture: noPicture,
      isImport: true as const,
      archivesNew: before.extras.isArchived === true,
    };
    const createdAt = new Date((firstCreatedAt ?? now).getTime() + before.position);
    const productId = await applyPlan(tx, row.planned, sender, createdAt);
    const { key } = before.extras;
    if (productId !== null && key !== null)
      sources.push({ source, key, productId, units: before.extras.units ?? null });
    done.push({ ...before, action: actionOf(row.planned.action), state: 'done', productId, undo: undoOf(row) });
  }
  await saveSources(tx, uniqueByKey(sources));
  return done;
}

const noPicture = async () => undefined; // an imported form has no file

export const importedRow = ({ line, cells, extras, notes }: StoredRow): ImportedRow => ({
  line,
  cells: new Map(Object.entries(cells)),
  notes,
  ...extras,
});

/** One statement can't write a key twice. */
const uniqueByKey = <Row extends { key: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.key, row])).values(),
];

/** The texts before and after, of a product that was changed. */
function undoOf({ planned: { action, texts = [], form } }: PreparedRow): RowUndo | null {
  if (action !== 'change' || !form) return null;
  const units = form.quantityWas === undefined ? 0 : form.quantity - form.quantityWas;
  const facts = texts.filter(({ field }) => field !== 'quantity');
  return {
    before: Object.fromEntries(facts.map(({ field, from }) => [field, from])),
    after: Object.fromEntries(facts.map(({ field, to }) => [field, to])),
    units,
  };
}
