/** CSV files that come back, as staff's programs write them: in UTF-8, with commas, semicolons or tabs. */
import { parse } from 'csv-parse/sync';
import { importSays, staffLimits } from '../../shared/catalogStaff';
import { readCell } from './csv';
import { invalid, Problem } from './problems';

/** A row of the file: the line on which it begins, and its cells by the names of their columns. */
export type CsvRow = { line: number; cells: ReadonlyMap<string, string> };

/**
 * @param columns the names that its first line may have, in any order; each may be left out but those of `needed`
 * @throws Problem 400 invalid_csv, 413 payload_too_large
 */
export function readCsvFile(file: unknown, columns: readonly string[], needed: readonly string[] = []): CsvRow[] {
  const records = parseText(decode(file));
  const [header, ...rows] = records;
  if (!header || rows.length === 0) throw invalidCsv(importSays.noRows);
  if (rows.length > staffLimits.csvRows) throw invalidCsv(importSays.tooManyRows);
  const names = header.record.map((name) => name.trim());
  const known = new Set(columns);
  const wrong = names.find((name, at) => !known.has(name) || names.indexOf(name) !== at);
  if (wrong !== undefined) throw invalidCsv(`'${wrong.slice(0, 40)}' ${importSays.unknownColumn}`);
  const missing = needed.find((name) => !names.includes(name));
  if (missing !== undefined) throw invalidCsv(`${importSays.missingColumn} '${missing}'`);
  return rows.map(({ record, line }) => {
    if (record.length > names.length) throw invalidCsv(`Line ${line} has more cells than the first line`);
    return { line, cells: new Map(names.map((name, at) => [name, readCell(record[at] ?? '')])) };
  });
}

const invalidCsv = (message: string) => invalid(message, [{ field: 'file', message }], 'invalid_csv');

function decode(file: unknown): string {
  if (!Buffer.isBuffer(file) || file.length === 0) throw invalidCsv(importSays.noRows);
  if (file.length > staffLimits.csvBytes) throw new Problem(413, 'payload_too_large', importSays.tooManyBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file); // without its byte order mark
  } catch {
    throw invalidCsv(importSays.notText);
  }
}

function parseText(content: string): { record: string[]; line: number }[] {
  const rows: { record: string[]; line: number }[] = [];
  try {
    parse(content, {
      delimiter: delimiterOf(content),
      on_record: (record: string[], { lines }) => {
        rows.push({ record, line: lines - linesIn(record) });
        return null; // the parser need not keep it as well
      },
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true, // spreadsheets write emptied rows so
      max_record_size: 100_000,
    });
  } catch (error) {
    const line = (error as { lines?: number }).lines;
    throw invalidCsv(line === undefined ? importSays.notCsv : `${importSays.notCsv}: look at line ${line}`);
  }
  return rows;
}

/** How many line breaks a record has inside its cells. */
const linesIn = (record: readonly string[]) => record.join('').split('\n').length - 1;

/** In countries with a decimal comma, spreadsheets separate cells by semicolons. */
function delimiterOf(content: string): string {
  const [header = ''] = content.split('\n', 1);
  return [',', ';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ',';
}
