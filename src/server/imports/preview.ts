/**
 * Reads a file and stores what an import of it would do with each product. Rows are read, prepared and stored a batch at a
 * time, so a large file takes little memory.
 */
import { randomUUID } from 'node:crypto';
import { maxFieldSample } from '../../shared/imports';
import type { Schema } from '../../shared/contract';
import { storable } from '../catalog/importPlan';
import type { Tx } from '../db/core/transact';
import type { RowExtras } from '../db/schema/imports';
import { columnsOf, headerHashOf, readMapping, requireName, sourceOf } from './columns';
import type { FileColumns, Source } from './fileColumns';
import { importMessages } from '../../shared/catalogStaff';
import { invalidCsv, openProductFile, type ProductFile } from './file';
import { prepareRows, type PreparedRow } from './prepare';
import { changeImport, findMapping, insertImport, insertRows, type StoredRow } from './repository';
import { readRows, type ImportedRow } from './sources';

type Sent = { file: unknown; fileName: string | undefined; mapping: string | undefined };

/** @returns the import's id @throws Problem 400 invalid_csv, invalid_mapping, 413 payload_too_large */
export async function previewImport(tx: Tx, sent: Sent, userId: string, now: Date): Promise<string> {
  const file = await openProductFile(sent.file);
  const source = sourceOf(file.header);
  const headerHash = headerHashOf(file.header);
  const mapping = readMapping(sent.mapping);
  const remembered = mapping ?? (await findMapping(tx, headerHash));
  const columns = columnsOf(file.header, source, remembered);
  const isUnknown = source === 'other' && !remembered;
  if (!isUnknown) requireName(columns);
  const id = randomUUID();
  const about = {
    fileName: storable(sent.fileName?.trim() ?? '') || null,
    headerHash,
    createdBy: userId,
    createdAt: now,
  };
  const counts = { new: 0, changed: 0, unchanged: 0, wrong: 0 };
  const state = isUnknown ? 'mapping' : 'previewed';
  await insertImport(tx, { ...about, id, state, source, columns: [], mapping: mapping ?? null, counts });
  const samples = createSamples(columns);
  const seen = isUnknown
    ? await skim(file, samples)
    : await storeRows(tx, { id, source, file, columns, samples, counts });
  await changeImport(tx, id, { columns: samples.shown(), counts, newCategories: seen });
  return id;
}

/** Reads only as much as the samples need. */
async function skim(file: ProductFile, samples: Samples): Promise<string[]> {
  let rows = 0;
  for await (const { record } of file.lines()) {
    samples.see(record);
    rows += 1;
    if (rows === 100) break;
  }
  if (rows === 0) throw invalidCsv(importMessages.noRows);
  return [];
}

/** Small, so that its rows are freed by the next quick garbage collection: 10,000 rows take 200 MB, with 100 they took 240. */
const batchSize = 40;

type Store = {
  id: string;
  source: Source;
  file: ProductFile;
  columns: FileColumns;
  samples: Samples;
  counts: Schema<'ImportCounts'>;
};

/** @returns the titles of the categories that the import creates */
async function storeRows(tx: Tx, { id, source, file, columns, samples, counts }: Store): Promise<string[]> {
  const seen = new Set<string>();
  const newCategories = new Map<string, string>();
  let position = 0;
  const store = async (batch: ImportedRow[]) => {
    const prepared = await prepareRows(tx, source, batch, { isLocked: false, seen });
    for (const { planned, newCategory } of prepared) {
      counts[actionOf(planned.action)] += 1;
      if (newCategory && planned.action !== 'refuse')
        newCategories.set(newCategory.name, storable(newCategory.title ?? newCategory.name));
    }
    await insertRows(
      tx,
      prepared.map((row, at) => ({ importId: id, ...storedRow(row, position + at) })),
    );
    position += prepared.length;
  };
  let batch: ImportedRow[] = [];
  for await (const row of readRows(file, columns, source, samples.see)) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    await store(batch);
    batch = [];
  }
  if (batch.length > 0) await store(batch);
  if (position === 0) throw invalidCsv(importMessages.noRows);
  return [...newCategories.values()];
}

const actions = { create: 'new', change: 'changed', nothing: 'unchanged', refuse: 'wrong' } as const;
export const actionOf = (action: keyof typeof actions) => actions[action];

const turnsOfLater = 1_000_000; // rows without an address of their own

function storedRow(
  { row, planned, notes, photos: added }: PreparedRow,
  position: number,
): Omit<StoredRow, 'importId' | 'undo' | 'kept'> {
  const { cells, key, photos, oldAddress, isArchived, places } = row;
  const units = /^\d{1,7}$/.test(cells.get('quantity') ?? '') ? Number(cells.get('quantity')) : undefined;
  const extras: RowExtras = {
    key,
    photos,
    ...(added.length > 0 && { newPhotos: added.length }),
    places,
    ...(oldAddress && { oldAddress }),
    ...(isArchived && { isArchived }),
    ...(units !== undefined && { units }),
  };
  return {
    position,
    turn: cells.get('slug') ? position : position + turnsOfLater,
    line: row.line,
    name: planned.name,
    unitSize: storable(cells.get('unitSize') ?? '').slice(0, 200),
    action: actionOf(planned.action),
    state: 'waiting',
    productId: planned.id,
    cells: Object.fromEntries([...cells].map(([field, cell]) => [field, storable(cell)])),
    extras,
    changes: planned.changes,
    problems: problemsOf(row, planned),
    notes: notes.map(storable),
  };
}

/** Names the file's columns. */
export function problemsOf(
  { line, places }: Pick<ImportedRow, 'line' | 'places'>,
  { name, errors }: Pick<PreparedRow['planned'], 'name' | 'errors'>,
): Schema<'ImportProblem'>[] {
  return errors.map(({ field, message }) => {
    const place = places[field];
    return { line, name, column: place?.column ?? field, ...(place && { cell: place.cell }), message };
  });
}

type Samples = ReturnType<typeof createSamples>;

/** Collects the first value of each column. */
function createSamples(columns: FileColumns) {
  const found = columns.map(() => '');
  return {
    see: (record: readonly string[]): void =>
      found.forEach((sample, at) => {
        if (sample === '') found[at] = storable((record[at] ?? '').trim().slice(0, maxFieldSample));
      }),
    shown: (): Schema<'ImportColumn'>[] =>
      columns.map(({ name, field }, at) => ({ name: storable(name), field, sample: found[at] ?? '' })),
  };
}
