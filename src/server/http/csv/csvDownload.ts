/**
 * CSV files: lists as staff download them, and back. A download is exactly the rows that a list has at one moment: their
 * ids are read at once, the rows then in pages, so that neither the memory nor a database connection is held by a slow
 * reader. Every cell is in quotation marks. Where a text could be taken for a formula it has an apostrophe, and `readCell`
 * takes it away again: what was exported can be imported unchanged. Source: ASVS 1.2.10, 5.4.1
 */
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { fromCents } from '../../../shared/money';
import { dayAt } from '../../../shared/shopDays';
import type { HeaderOf } from '../../../shared/staffList';
import { timeIn } from '../core/shopDays';

/** Only a text can be a formula. An amount is written as '-4.50', a date as the time on the shop's clock. */
export type Cell = string | number | boolean | Date | Amount | null | undefined;
type Amount = { cents: number };
export type Column<Row> = { header: string; cell: (row: Row) => Cell };

/** @param cells what each column of the list's file says of a row */
export const fileColumns = <List extends { file: { headers: Readonly<Record<string, string>> } }, Row>(
  { file: { headers } }: List,
  cells: Readonly<Record<HeaderOf<List>, Column<Row>['cell']>>,
): Column<Row>[] => Object.entries(headers).map(([name, header]) => ({ header, cell: cells[name as HeaderOf<List>] }));

const byteOrderMark = '\ufeff'; // without it a spreadsheet reads UTF-8 as something else
const rowsAtOnce = 500;

/**
 * Sends a list as a file.
 * @param file.name ours, such as 'products'; the day is put behind it
 * @param file.timeZone the shop's, for all times of the file
 * @param file.ids of all rows, in the list's order
 * @param file.read the rows of some ids, in any order; one that is gone meanwhile is left out
 */
export async function sendCsv<Row extends { id: string | number }>(
  reply: FastifyReply,
  file: {
    name: string;
    now: Date;
    timeZone: string;
    columns: readonly Column<Row>[];
    ids: readonly Row['id'][];
    read: (ids: Row['id'][]) => Promise<Row[]>;
  },
): Promise<FastifyReply> {
  // later pages are asked for by the connection, which may be in the middle of another call, or of none
  const pages = writePages({ ...file, read: AsyncResource.bind(file.read) });
  const first = await pages.next(); // what cannot be read at all is refused as anything else is
  const name = `${file.name}-${dayAt(file.now, file.timeZone)}.csv`;
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('x-content-type-options', 'nosniff')
    .send(Readable.from(chain(first.value, pages)));
}

async function* chain(first: string | void, rest: AsyncGenerator<string, void>) {
  if (first) yield first;
  yield* rest;
}

type Pages<Row extends { id: string | number }> = Omit<Parameters<typeof sendCsv<Row>>[1], 'name' | 'now'>;

async function* writePages<Row extends { id: string | number }>({
  columns,
  ids,
  read,
  timeZone,
}: Pages<Row>): AsyncGenerator<string, void> {
  const timeOf = timeIn(timeZone);
  let before = byteOrderMark + lines([columns.map(({ header }) => header)]);
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const wanted = ids.slice(from, from + rowsAtOnce);
    const found = new Map((await read(wanted)).map((row) => [row.id, row]));
    const rows = wanted.flatMap((id) => found.get(id) ?? []);
    yield before + lines(rows.map((row) => columns.map(({ cell }) => writeCell(cell(row), timeOf))));
    before = '';
  }
  if (before) yield before;
}

const lines = (rows: string[][]) => stringify(rows, { quoted: true, quoted_empty: true });

/**
 * A formula begins with one of the first four; spreadsheets of East Asia take wide and small forms for the same signs,
 * and older programs run what is behind % and |. Some readers drop the spaces and quotation marks before it.
 */
const formula = /^[\s"']*[=+\-@%|＝＋－＠％｜﹦﹢﹣﹫]/;
const nothing = /^[\s"']*$/;

/**
 * Where a formula could begin: with the text, and where a reader ends a cell in spite of the quotation marks, as one does
 * that separates cells by semicolons and reads a file with commas. An apostrophe may come before, so what is found here is
 * found with a mark and without.
 */
function changeFormulas(text: string, change: (part: string) => string): string {
  const parts = text.split(/([;\t\r\n])/); // each second one is what separates
  const beginsWithTab = parts.length > 1 && parts[1] !== ';' && nothing.test(parts[0] ?? '');
  return parts
    .map((part, at) => ((at % 2 === 0 && formula.test(part)) || (at === 0 && beginsWithTab) ? change(part) : part))
    .join('');
}

/** A cell as text that no spreadsheet calculates. @param timeOf writes a moment */
export function writeCell(cell: Cell, timeOf = timeIn('UTC')): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return timeOf(cell);
  if (typeof cell === 'object') return fromCents(cell.cents).toFixed(2);
  if (typeof cell !== 'string') return String(cell);
  return changeFormulas(cell, (part) => `'${part}`);
}

/** A whole text that a spreadsheet takes for a number, an amount, a date, a time or a logical value. */
const value =
  /^[ "']*(?:true|false|(?![+\-%])(?=.*\d)(?:[\d.,:/$\u20ac\u00a3%()+\- ]|e(?=[\d+-])|[ap]m|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)+)$/i;

/** A text as a cell that stays a text: spreadsheets make 7 of '007'. `readCell` takes the mark away. */
export const saveText = (text: string): string => (value.test(text) ? `'${text}` : text);

/** The opposite of `writeCell` and `keepText`, for a file that comes back. */
export function readCell(text: string): string {
  if (value.test(text)) return text.startsWith("'") ? text.slice(1) : text;
  return changeFormulas(text, (part) => (part.startsWith("'") ? part.slice(1) : part));
}
