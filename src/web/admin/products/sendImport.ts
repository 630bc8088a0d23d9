/** Sends an import part by part and merges the responses. Rule: docs/rules/catalog.md, CSV of products */
import { importMessages } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { formatCount } from '../../../shared/counts';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import type { KeyHeader } from '../../server/keys';
import { keyOfPart } from '../keyOfPart';
import { multipart } from '../staffCalls';
import type { ImportPart } from './importParts';

type Result = Schema<'ProductImportResult'>;
type Row = Result['rows'][number];

/** What the rows of a file would do, and which parts have changes. */
export interface Preview extends Result {
  /** By index of the part. */
  isToDo: boolean[];
  /** 'Rows 2 to 1,001', which were imported before */
  skipped?: string;
}

/** Gets the number of imported parts and of their rows. */
export type Progress = (parts: number, rows: number) => void;

async function sendPart({ file }: ImportPart, { header }: KeyHeader, fields: { apply: boolean; again?: boolean }) {
  const { productImport } = await answer(
    api.POST('/admin/products/import', {
      params: { header },
      ...multipart<Schema<'ProductImport'>>({ file, ...fields }),
    }),
  );
  return productImport;
}

/** Previews the import; changes nothing. */
export async function previewParts(
  parts: readonly ImportPart[],
  keys: KeyHeader,
  onProgress: Progress,
): Promise<Preview> {
  const results: Result[] = [];
  for (const [at, part] of parts.entries()) {
    results.push(await sendPart(part, keyOfPart(keys, `${at}`), { apply: false }));
    onProgress(at + 1, rowsBefore(parts, at + 1));
  }
  return previewOf(parts, results);
}

/**
 * Imports one part after another.
 * @param todo.from the first part that is not imported yet
 * @throws ApiError of the part that was rejected or lost; the parts before it are imported
 */
export async function sendParts(
  parts: readonly ImportPart[],
  { isToDo, from, again }: { isToDo: readonly boolean[]; from: number; again: boolean },
  keys: KeyHeader,
  onProgress: Progress,
): Promise<void> {
  for (const [at, part] of parts.entries()) {
    if (at < from) continue;
    if (isToDo[at])
      await sendPart(part, keyOfPart(keys, `${at}`), { apply: true, ...(again && { again }) }).catch(
        (error: unknown) => {
          const isIn = parts.length > 1 && error instanceof ApiError && error.code === 'import_repeated';
          if (!isIn) throw error; // it was imported, but its response was lost
        },
      );
    onProgress(at + 1, rowsBefore(parts, at + 1));
  }
}

export const rowsBefore = (parts: readonly ImportPart[], end: number): number =>
  parts.slice(0, end).reduce((sum, { rows }) => sum + rows.length, 0);

/** @returns why an import stopped halfway: which rows are imported, and what to do */
export function stoppedAt(parts: readonly ImportPart[], done: number, error: unknown): string {
  const [first] = error instanceof ApiError && error.code === 'import_refused' ? error.errors : [];
  const line = parts[done]?.rows.find(({ lineInPart }) => first?.field.startsWith(`${lineInPart}.`))?.line;
  return importMessages.stoppedAt(rangeOf(parts.slice(0, done)), line);
}

/** @returns 'Rows 2 to 2,001', as a spreadsheet counts them */
function rangeOf(parts: readonly ImportPart[]): string {
  const places = parts.flatMap(({ rows }) => rows.map(({ place }) => place));
  return `Rows ${formatCount(places[0] ?? 0)} to ${formatCount(places.at(-1) ?? 0)}`;
}

function previewOf(parts: readonly ImportPart[], results: readonly Result[]): Preview {
  const isWork = ({ created, changed, refused }: Result) => created + changed + refused > 0;
  const isDone = results.map((result) => result.importedAt !== undefined);
  const isToDo = results.map((result, at) => isWork(result) && !isDone[at]);
  const isAllDone = !isToDo.includes(true); // the whole file may be imported again
  const seen = new Set<string>();
  const rows = results.flatMap((result, at) =>
    result.rows.map((row, place): Row => {
      const inFile = ofWholeFile(row, parts[at]?.rows[place]);
      const isTwice = parts.length > 1 && row.action !== 'refuse' && row.id !== null && seen.has(row.id);
      if (row.id !== null) seen.add(row.id);
      if (isDone[at] && !isAllDone) return { ...inFile, action: 'nothing', errors: [] };
      return isTwice
        ? { ...inFile, action: 'refuse', errors: [{ field: 'id', message: importMessages.twice }] }
        : inFile;
    }),
  );
  const count = (action: Row['action']) => rows.filter((row) => row.action === action).length;
  const importedAt = isAllDone ? results.find((result) => result.importedAt)?.importedAt : undefined;
  const former = parts.filter((_, at) => isDone[at]);
  return {
    applied: false,
    ...(importedAt && { importedAt }),
    created: count('create'),
    changed: count('change'),
    unchanged: count('nothing'),
    refused: count('refuse'),
    rows,
    isToDo: isAllDone ? results.map(isWork) : isToDo,
    ...(!isAllDone && former.length > 0 && { skipped: former.map((part) => rangeOf([part])).join(', ') }),
  };
}

/** The row with its line in the whole file, and its errors with cells of the whole file. */
const ofWholeFile = (row: Row, at: ImportPart['rows'][number] | undefined): Row =>
  at === undefined
    ? row
    : {
        ...row,
        line: at.line,
        errors: row.errors.map(({ cell, ...error }) => ({
          ...error,
          ...(cell && { cell: cell.replace(/\d+$/, String(at.place)) }),
        })),
      };
