/** CSV files that come back, as staff's programs write them: with commas, semicolons or tabs, and any line ends. */
import { parse } from 'csv-parse/sync';
import { importSays, staffLimits } from '../../shared/catalogStaff';
import { readCell } from './csv';
import { invalid, Problem } from './problems';

/**
 * A row of the file: the line on which it begins, its cells by the names of their columns, and where a spreadsheet shows
 * a cell ('C7'). Line ends within a cell are LF.
 */
export type CsvRow = {
  line: number;
  cells: ReadonlyMap<string, string>;
  cellOf: (column: string) => string | undefined;
};

type Line = { line: number; place: number; record: string[] };

/**
 * @param columns the names that its first line may have, in any order; each may be left out but those of `needed`
 * @param mostRows of a file that is read at once
 * @throws Problem 400 invalid_csv, 413 payload_too_large
 */
export function readCsvFile(
  file: unknown,
  columns: readonly string[],
  { needed = [], mostRows = staffLimits.csvRows }: { needed?: readonly string[]; mostRows?: number } = {},
): CsvRow[] {
  const [header, ...lines] = parseText(decode(file));
  const rows = lines.filter(({ record }) => !isSame(record, header?.record)); // files put together repeat it
  if (!header || rows.length === 0) throw invalidCsv(importSays.noRows);
  if (rows.length > mostRows) throw invalidCsv(importSays.tooManyRows(mostRows));
  const places = placesOf(header, columns);
  const missing = needed.find((name) => !places.has(name));
  if (missing !== undefined) throw invalidCsv(`${importSays.missingColumn} '${missing}'`);
  const named = new Set(places.values());
  for (const { record, place } of rows)
    record.forEach((cell, at) => {
      if (cell !== '' && !named.has(at)) throw invalidCsv(importSays.noColumn(cellName(at, place)));
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

/** Where each column is. One without a name is none: spreadsheets leave some at the end. */
function placesOf({ record, place }: Line, columns: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  record.forEach((written, at) => {
    const name = written.trim();
    if (name === '') return;
    const cell = cellName(at, place);
    if (!columns.includes(name)) throw invalidCsv(importSays.unknownColumn(name.slice(0, 40), cell));
    const first = places.get(name);
    if (first !== undefined) throw invalidCsv(importSays.columnTwice(name, cellName(first, place), cell));
    places.set(name, at);
  });
  return places;
}

/** @returns how a spreadsheet calls a cell: 'C7' for the third column and the seventh row */
function cellName(at: number, place: number): string {
  const letters = (column: number): string =>
    column < 26
      ? String.fromCodePoint(65 + column)
      : letters(Math.floor(column / 26) - 1) + String.fromCodePoint(65 + (column % 26));
  return `${letters(at)}${place}`;
}

const isSame = (record: readonly string[], header: readonly string[] = []) =>
  record.length === header.length && record.every((cell, at) => cell === header[at]);

const invalidCsv = (message: string) => invalid(message, [{ field: 'file', message }], 'invalid_csv');

function decode(file: unknown): string {
  if (!Buffer.isBuffer(file) || file.length === 0) throw invalidCsv(importSays.noRows);
  if (file.length > staffLimits.csvBytes) throw new Problem(413, 'payload_too_large', importSays.tooManyBytes);
  try {
    return new TextDecoder(isWide(file) ? 'utf-16le' : 'utf-8', { fatal: true }).decode(file); // without its mark
  } catch {
    throw invalidCsv(importSays.notText);
  }
}

/** As Excel's 'Unicode Text' is: it begins with the byte order mark of UTF-16. */
const isWide = (file: Buffer) => file[0] === 0xff && file[1] === 0xfe;

const separatorLine = /^"?sep=([,;\t])"?\n/i;

/** @returns the lines that hold something; `place` is the row of a spreadsheet, which counts a cell of many lines once */
function parseText(content: string): Line[] {
  const text = content.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const [named = '', separator] = separatorLine.exec(text) ?? [];
  const lines: Line[] = [];
  let place = 0;
  try {
    parse(text.slice(named.length), {
      delimiter: separator ?? delimiterOf(text),
      on_record: (record: string[], info) => {
        place += 1;
        const line = info.lines - linesIn(record) + (named ? 1 : 0);
        if (record.some((cell) => cell.trim() !== '')) lines.push({ record, line, place }); // spreadsheets keep emptied rows
        return null; // the parser need not keep it as well
      },
      record_delimiter: '\n',
      relax_column_count: true,
      max_record_size: 100_000,
    });
  } catch (error) {
    const line = (error as { lines?: number }).lines;
    throw invalidCsv(line === undefined ? importSays.notCsv : importSays.notCsvAt(line + (named ? 1 : 0)));
  }
  return lines;
}

/** How many line breaks a record has inside its cells. */
const linesIn = (record: readonly string[]) => record.join('').split('\n').length - 1;

/** The one that the first line has most of. In countries with a decimal comma, spreadsheets write semicolons. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split('\n', 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}
