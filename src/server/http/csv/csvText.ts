/** The lines and columns of CSV text. Rule: docs/rules/catalog.md, CSV of products */
import { importMessages } from '../../../shared/catalogStaff';

/**
 * A row of the file: where it starts, and its row number in a spreadsheet, where a cell of several lines is one row.
 */
export interface CsvLine {
  line: number;
  place: number;
  record: string[];
}

/** A message to the user about why the file cannot be read. */
export class CsvError extends Error {}

/** A first line that declares the separator, as spreadsheets write it. */
export const separatorLine = /^"?sep=([,;\t])"?\n/i;

/** The most frequent separator of the first line. In countries with a decimal comma, spreadsheets write semicolons. */
export function delimiterOf(text: string): string {
  const [header = ''] = text.split('\n', 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

export const isSameRecord = (record: readonly string[], header: readonly string[] = []): boolean =>
  record.length === header.length && record.every((cell, at) => cell === header[at]);

/**
 * Maps column names to positions. Columns without a name are ignored: spreadsheets leave some at the end.
 * @throws CsvError
 */
export function placesOf({ record, place }: CsvLine, columns: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  record.forEach((written, at) => {
    const name = written.trim();
    if (name === '') return;
    const cell = cellName(at, place);
    if (!columns.includes(name)) throw new CsvError(importMessages.unknownColumn(name.slice(0, 40), cell));
    const first = places.get(name);
    if (first !== undefined) throw new CsvError(importMessages.columnTwice(name, cellName(first, place), cell));
    places.set(name, at);
  });
  return places;
}

/** @returns the spreadsheet name of a cell: 'C7' for the third column and the seventh row */
export function cellName(at: number, place: number): string {
  const letters = (column: number): string =>
    column < 26
      ? String.fromCodePoint(65 + column)
      : letters(Math.floor(column / 26) - 1) + String.fromCodePoint(65 + (column % 26));
  return `${letters(at)}${place}`;
}
