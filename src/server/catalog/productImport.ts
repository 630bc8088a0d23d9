/**
 * Imports products from CSV. Each row is checked separately for changes and errors, then all rows are imported or none.
 * Dry run and import use the same checks. The import does exactly what the dry run showed, or is rejected because a product
 * changed.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { importMessages } from '../../shared/catalogStaff';
import type { Schema } from '../../shared/contract';
import { writeAudit } from '../audit/service';
import type { Tx } from '../db/core/transact';
import type { CsvRow } from '../http/csv/csvFile';
import { conflict, type FieldError } from '../http/core/problems';
import { applyPlan, planRow, readKnown, type Known, type PlannedRow } from './importPlan';
import { readProductCsv } from './productCsv';
import type { Sender } from './productForms';
import { findFormerImport, noteImport } from './importHistory';
import { findLastCreation } from './repository';

/**
 * @param body.apply false: dry run
 * @param body.again imports a file that was imported before, which may add its units to the stock a second time
 * @throws Problem 400 invalid_csv, 413 payload_too_large, 409 import_refused when a row to import has errors,
 *   409 import_repeated
 */
export async function importProducts(
  tx: Tx,
  { file, apply, again = false }: { file: unknown; apply: boolean; again?: boolean | undefined },
  sender: Sender & { timeZone: () => Promise<string> },
): Promise<Schema<'ProductImportResult'>> {
  const rows = readProductCsv(file);
  const known = await readKnown(tx, rows, { isLocked: true });
  const planned = await planAll(rows, known);
  const isWork = planned.some(({ action }) => action !== 'nothing');
  const note = () => (apply ? noteImport(tx, rows, sender.now) : findFormerImport(tx, rows));
  const importedAt = isWork ? await note() : undefined;
  // checked before row errors: rows that were imported already would fail as stale
  if (apply && importedAt && !again)
    throw conflict('import_repeated', importMessages.repeated(clockTime(importedAt, await sender.timeZone())));
  const mistakes = planned.flatMap(({ line, errors }) =>
    errors.map(({ field, message }): FieldError => ({ field: `${line}.${field}`, message })),
  );
  if (apply && mistakes.length > 0) throw conflict('import_refused', importMessages.refused, mistakes.slice(0, 200));
  const count = (action: PlannedRow['action']) => planned.filter((row) => row.action === action).length;
  if (apply) {
    const created = planned.filter(({ action }) => action === 'create');
    const firstAt = await firstCreation(tx, created.length, sender.now);
    for (const row of inTurn(planned))
      await applyPlan(tx, row, { ...sender, isImport: true }, new Date(firstAt + created.indexOf(row)));
    await auditImport(tx, { created: count('create'), changed: count('change') }, sender);
  }
  return {
    applied: apply,
    ...(importedAt && { importedAt: importedAt.toISOString() }),
    created: count('create'),
    changed: count('change'),
    unchanged: count('nothing'),
    refused: count('refuse'),
    rows: planned.map(shown),
  };
}

/**
 * @returns the creation time of the first new product. Each gets a distinct millisecond after all existing products, so that
 *   lists show the file's order, even if it is imported in parts
 */
export async function firstCreation(tx: Tx, rows: number, now: Date): Promise<number> {
  const at = now.getTime() - (rows - 1);
  const last = rows === 0 ? undefined : await findLastCreation(tx);
  return last === undefined ? at : Math.max(at, last.getTime() + 1);
}

/** One entry for the whole import. Each product also has its own entry. */
async function auditImport(tx: Tx, after: { created: number; changed: number }, { by, now }: Sender): Promise<void> {
  if (after.created + after.changed === 0) return;
  await writeAudit(tx, { by, action: 'product.imported', target: { kind: 'product', id: null }, after, now });
}

const clockTime = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(at);

const rowsPerTurn = 20;

/** Yields to the event loop between batches, so that a large file does not block other requests. */
async function planAll(rows: readonly CsvRow[], known: Known): Promise<PlannedRow[]> {
  const planned: PlannedRow[] = [];
  const seen = new Set<string>();
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerTurn === 0) await turn();
    planned.push(planRow(row, known, seen));
  }
  return planned;
}

function shown(row: PlannedRow): Schema<'ProductImportRow'> {
  const { form: _, sizeGroup: __, texts: ___, ...answer } = row;
  return answer;
}

/** Rows with an address come first, before a new product's name takes it. */
const inTurn = (planned: readonly PlannedRow[]): PlannedRow[] =>
  planned.toSorted((one, other) => Number(!one.form?.slug) - Number(!other.form?.slug));
