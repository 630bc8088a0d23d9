/**
 * The job that imports the rows of started imports, and undoes imports. It works in small batches. Each batch is one
 * transaction with its progress, so after a crash the next run continues with the next batch, and no row is imported twice.
 * Between batches it pauses, so that customers' requests are served at their usual speed. All processes together work on
 * one batch at a time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { importErrors } from '../../shared/imports';
import { writeAudit } from '../audit/service';
import type { Clock } from '../core/clock';
import { describeFailure } from '../db/core/loggedErrors';
import { isDatabaseOutOfReach } from '../db/core/errors';
import { transact, type Db, type Tx } from '../db/core/transact';
import { Problem } from '../http/core/problems';
import { applyRows } from './apply';
import {
  changeImport,
  countActions,
  findRowsToDo,
  lockNextImport,
  saveUnchangedSources,
  saveRows,
  type ImportRecord,
  type StoredRow,
} from './repository';
import { undoRows } from './undo';

export type ImportParts = { db: Db; clock: Clock; logger: Logger };

/** Rows of a transaction. It holds the change feed's position, which other changes of the catalog wait for. */
const batchSize = 20;
const pauseMs = 15;

let isWorking = false;

/** Works until nothing is left to do. If the job already runs in this process, that one does the work. */
export async function runImports(parts: ImportParts): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  try {
    while (await runBatch(parts)) await pause(pauseMs);
  } finally {
    isWorking = false;
  }
}

/** Asks for the job, in the transaction that gives it work. */
export const addImportJob = (tx: Tx) =>
  tx.execute(sql`select graphile_worker.add_job('runImports', '{}', job_key := 'runImports', max_attempts := 1)`);

/** @returns whether there may be more to do */
async function runBatch(parts: ImportParts): Promise<boolean> {
  try {
    return await transact(parts.db, (tx) => workOn(tx, parts.clock.now(), batchSize));
  } catch (error) {
    if (isDatabaseOutOfReach(error)) throw error;
    // a row that fails takes its batch with it: the rows are tried again one by one
    for (let row = 0; row < batchSize; row++) if (!(await runRow(parts))) return false;
    return true;
  }
}

async function runRow({ db, clock, logger }: ImportParts): Promise<boolean> {
  let tried: Place | undefined;
  try {
    return await transact(db, (tx) => workOn(tx, clock.now(), 1, (place) => (tried = place)));
  } catch (error) {
    if (isDatabaseOutOfReach(error) || !tried) throw error;
    const failed = tried;
    if (!(error instanceof Problem)) logger.warn({ failure: describeFailure(error) }, 'a row was not imported');
    const message = error instanceof Problem ? error.message : importErrors.row;
    return transact(db, (tx) => giveUpRow(tx, failed, message));
  }
}

/** One batch at a time, in all processes. */
const claim = async (tx: Tx): Promise<boolean> => {
  const { rows } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(727004) as mine`);
  return rows[0]?.mine === true;
};

type Place = Pick<StoredRow, 'importId' | 'position'>;

/** @param onTry gets the first row before it is tried */
async function workOn(tx: Tx, now: Date, limit: number, onTry?: (place: Place) => void): Promise<boolean> {
  if (!(await claim(tx))) return false;
  const found = await lockNextImport(tx);
  if (!found) return false;
  const isUndo = found.state === 'undoing';
  const rows = await findRowsToDo(tx, found.id, isUndo ? 'done' : 'waiting', limit);
  if (rows[0]) onTry?.(rows[0]);
  const done = await (isUndo ? undoRows : applyRows)(tx, found, rows, now);
  await saveRows(tx, done);
  await changeImport(tx, found.id, { doneRows: found.doneRows + rows.length });
  if (rows.length < limit) await finish(tx, found, now);
  return true;
}

/**
 * Marks the row as wrong, after it failed by itself, unless another process did it meanwhile. A row that can't be undone
 * stays as it is.
 */
async function giveUpRow(tx: Tx, { importId, position }: Place, message: string): Promise<boolean> {
  if (!(await claim(tx))) return false;
  const found = await lockNextImport(tx);
  if (!found) return false;
  const isUndo = found.state === 'undoing';
  const [row] = await findRowsToDo(tx, found.id, isUndo ? 'done' : 'waiting', 1);
  if (row?.importId !== importId || row.position !== position) return true;
  const problem = { line: row.line, name: row.name, column: '', message };
  const given: StoredRow = isUndo
    ? { ...row, state: 'undone', kept: [problem] }
    : { ...row, action: 'wrong', problems: [problem] };
  await saveRows(tx, [given]);
  await changeImport(tx, found.id, { doneRows: found.doneRows + 1 });
  return true;
}

async function finish(tx: Tx, found: ImportRecord, now: Date): Promise<void> {
  const { id, state, runBy } = found;
  const counts = await countActions(tx, id);
  const by = { userId: runBy, requestId: null };
  const target = { kind: 'import', id } as const;
  const [created, changed] = [counts.new, counts.changed];
  if (state === 'undoing') {
    await changeImport(tx, id, { state: 'undone' });
    await writeAudit(tx, { by, action: 'import.undone', target, after: { created, changed }, now });
    return;
  }
  const isDone = created + changed > 0 || counts.wrong === 0;
  await changeImport(tx, id, { state: isDone ? 'done' : 'failed', counts, finishedAt: now });
  await saveUnchangedSources(tx, found);
  if (created + changed === 0) return;
  await writeAudit(tx, { by, action: 'product.imported', target, after: { created, changed }, now });
}
