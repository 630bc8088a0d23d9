/** Reads uploaded CSV files, separated by commas, semicolons or tabs, and with any line endings. */
import { parse } from 'csv-parse/sync';
import { importMessages, staffLimits } from '../../../shared/catalogStaff';
import { CsvError, type CsvLine, cellName, delimiterOf, isSameRecord, placesOf, separatorLine } from './csvText';
import { readCell } from './csvDownload';
import { invalid, Problem } from '../core/problems';

/**
 * A row of the file: its first line, its cells by column name, and `cellOf` for a cell's spreadsheet name ('C7').
 * Line endings within a cell are LF.
 */
export type CsvRow = {
  line: number;
  cells: ReadonlyMap<string, string>;
  cellOf: (column: string) => string | undefined;
};

/**
 * @param columns the column names that the header may have, in any order; only those in `needed` are required
 * @param mostRows the limit for a file that is processed in one request
 * @throws Problem 400 invalid_csv, 413 payload_too_large
 */
export function readCsvFile(
  file: unknown,
  columns: readonly string[],
  { needed = [], mostRows = staffLimits.csvRows }: { needed?: readonly string[]; mostRows?: number } = {},
): CsvRow[] {
  const [header, ...lines] = parseText(decode(file));
  const rows = lines.filter(({ record }) => !isSameRecord(record, header?.record)); // concatenated files repeat the header
  if (!header || rows.length === 0) throw invalidCsv(importMessages.noRows);
  if (rows.length > mostRows) throw invalidCsv(importMessages.tooManyRows(mostRows));
  const places = columnPlaces(header, columns);
  const missing = needed.find((name) => !places.has(name));
  if (missing !== undefined) throw invalidCsv(`${importMessages.missingColumn} "${missing}"`);
  const named = new Set(places.values());
  for (const { record, place } of rows)
    record.forEach((cell, at) => {
      if (cell !== '' && !named.has(at)) throw invalidCsv(importMessages.noColumn(cellName(at, place)));
    });
  return rows.map(({ record, line, place }) => ({
    line,
    cells: new Map([...places].map(([name, at]) => [name, readCell(record[at] ?? '')])),
    cellOf: (column) => {
      const at = places.get(column);
      return at === undefined ? undefined : cellName(at, place);
    },
  }));
}

/** @throws Problem 400 invalid_csv */
function columnPlaces(header: CsvLine, columns: readonly string[]): Map<string, number> {
  try {
    return placesOf(header, columns);
  } catch (error) {
    throw error instanceof CsvError ? invalidCsv(error.message) : error;
  }
}

const invalidCsv = (message: string) => invalid(message, [{ field: 'file', message }], 'invalid_csv');

function decode(file: unknown): string {
  if (!Buffer.isBuffer(file) || file.length === 0) throw invalidCsv(importMessages.noRows);
  if (file.length > staffLimits.csvBytes) throw new Problem(413, 'payload_too_large', importMessages.tooManyBytes);
  try {
    return new TextDecoder(isWide(file) ? 'utf-16le' : 'utf-8', { fatal: true }).decode(file); // drops the byte order mark
  } catch {
    throw invalidCsv(importMessages.notText);
  }
}

/** Whether the file starts with the UTF-16 byte order mark, like Excel's 'Unicode Text'. */
const isWide = (file: Buffer) => file[0] === 0xff && file[1] === 0xfe;

/** @returns the non-empty records; `place` is the spreadsheet row, which counts a multi-line record once */
function parseText(content: string): CsvLine[] {
  const text = content.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const [named = '', separator] = separatorLine.exec(text) ?? [];
  const lines: CsvLine[] = [];
  let place = 0;
  try {
    parse(text.slice(named.length), {
      delimiter: separator ?? delimiterOf(text),
      on_record: (record: string[], info) => {
        place += 1;
        const line = info.lines - linesIn(record) + (named ? 1 : 0);
        if (record.some((cell) => cell.trim() !== '')) lines.push({ record, line, place }); // spreadsheets save emptied rows
        return null; // so that the parser does not store it too
      },
      record_delimiter: '\n',
      relax_column_count: true,
      max_record_size: 100_000,
    });
  } catch (error) {
    const line = (error as { lines?: number }).lines;
    throw invalidCsv(line === undefined ? importMessages.notCsv : importMessages.notCsvAt(line + (named ? 1 : 0)));
  }
  return lines;
}

/** @returns the number of line breaks inside the cells of a record */
export const linesIn = (record: readonly string[]) => record.join('').split('\n').length - 1;
