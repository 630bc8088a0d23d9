/** Reading, starting and undoing imports. Rule: docs/rules/catalog.md, Importing a file */
import { sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { importErrors, importLimits } from '../../shared/imports';
import { firstCreation } from '../catalog/productImport';
import { readTogether, type Connection, type Tx } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { countPhotoFetches, dropWaitingPhotos, listPhotoProblems } from '../pictures/photoFetches';
import { conflict, notFound } from '../http/core/problems';
import { addImportJob } from './job';
import {
  changeImport,
  countActions,
  countImports,
  countRows,
  findImport,
  findImports,
  findProblems,
  findRows,
  lockImport,
  type ImportRecord,
  type ListedImport,
  type StoredRow,
} from './repository';

export type ReadImport = ListedImport & {
  problems: Schema<'ImportProblem'>[];
  kept: Schema<'ImportProblem'>[];
  photos?: Schema<'ImportPhotos'>;
};
type List<Row> = { rows: Row[]; totalElements: number };

const importNotFound = () => notFound('import_not_found', importErrors.notFound);

/** @throws Problem 404 import_not_found */
export async function readImport(connection: Connection, id: string): Promise<ReadImport> {
  const found = await findImport(connection, id);
  if (!found) throw importNotFound();
  const problems = found.counts.wrong > 0 ? await findProblems(connection, id, 'problems') : [];
  const kept = ['undoing', 'undone'].includes(found.state) ? await findProblems(connection, id, 'kept') : [];
  return { ...found, problems, kept, ...(hasRun(found) && { photos: await readPhotos(connection, id) }) };
}

const hasRun = ({ state }: ImportRecord) => state !== 'mapping' && state !== 'previewed';

async function readPhotos(connection: Connection, id: string): Promise<Schema<'ImportPhotos'>> {
  const counts = await countPhotoFetches(connection, id);
  const problems = counts.failed === 0 ? [] : await listPhotoProblems(connection, id, importLimits.problems);
  return { ...counts, problems };
}

/** Without the errors of each. */
export async function listImports(connection: Connection, page: PageRequest): Promise<List<ListedImport>> {
  const [rows, totalElements] = await readTogether(connection, (on) => [findImports(on, page), countImports(on)]);
  return { rows, totalElements };
}

/** @throws Problem 404 import_not_found */
export async function listImportRows(
  connection: Connection,
  id: string,
  action: StoredRow['action'] | undefined,
  page: PageRequest,
): Promise<List<StoredRow>> {
  const found = await findImport(connection, id);
  if (!found) throw importNotFound();
  const { counts } = found;
  const all = counts.new + counts.changed + counts.unchanged + counts.wrong;
  return { rows: await findRows(connection, id, action, page), totalElements: action ? counts[action] : all };
}

/**
 * Gives the job an import to do.
 * @throws Problem 404 import_not_found, 409 import_started, 409 import_refused when rows are wrong and `onlyRight` is not set
 */
export async function runImport(
  tx: Tx,
  id: string,
  { onlyRight = false }: Schema<'ImportRun'>,
  userId: string,
  now: Date,
): Promise<void> {
  const found = await requireImport(tx, id);
  if (found.state !== 'previewed')
    throw conflict('import_started', found.state === 'mapping' ? importErrors.notReady : importErrors.started);
  const counts = await countActions(tx, id);
  const all = counts.new + counts.changed + counts.unchanged + counts.wrong;
  if (all === 0) throw conflict('import_started', importErrors.rowsGone);
  if (counts.wrong > 0 && !onlyRight) throw conflict('import_refused', importErrors.wrongRows);
  const firstCreatedAt = new Date(await firstCreation(tx, all, now));
  const progress = { doneRows: 0, ofRows: counts.new + counts.changed };
  await changeImport(tx, id, { ...progress, state: 'running', runBy: userId, firstCreatedAt });
  await addImportJob(tx);
}

/**
 * Gives the job an import to undo.
 * @throws Problem 404 import_not_found, 409 import_not_undoable
 */
export async function undoImport(tx: Tx, id: string, userId: string, now: Date): Promise<void> {
  const found = await requireImport(tx, id);
  const until = undoableUntil(found);
  if (!until || until <= now) throw conflict('import_not_undoable', importErrors.notUndoable);
  const ofRows = await countRows(tx, id, sql`state = 'done' and action in ('new', 'changed')`);
  await dropWaitingPhotos(tx, id);
  await changeImport(tx, id, { state: 'undoing', doneRows: 0, ofRows, runBy: userId });
  await addImportJob(tx);
}

async function requireImport(tx: Tx, id: string): Promise<ImportRecord> {
  const found = await lockImport(tx, id);
  if (!found) throw importNotFound();
  return found;
}

const hourMs = 3_600_000;

/** @returns null if it can't be undone: it is not finished, or it was undone already */
export function undoableUntil({ state, finishedAt }: Pick<ImportRecord, 'state' | 'finishedAt'>): Date | null {
  if (state !== 'done' || !finishedAt) return null;
  return new Date(finishedAt.getTime() + importLimits.undoHours * hourMs);
}
