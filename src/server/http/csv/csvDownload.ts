/**
 * CSV downloads of staff lists, and reading their cells back. A download is a snapshot: all ids are read first, then the
 * rows in pages, so a slow client holds neither memory nor a database connection. Every cell is quoted. Text that could be
 * taken for a formula gets an apostrophe, which `readCell` removes, so an export can be imported unchanged.
 * Source: ASVS 1.2.10, 5.4.1
 */
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { fromCents } from '../../../shared/money';
import { dayAt } from '../../../shared/shopDays';
import type { HeaderOf } from '../../../shared/staffList';
import { timeIn } from '../core/shopDays';

/** Only strings can be formulas. Amounts are written as '-4.50', dates in the shop's time zone. */
export type Cell = string | number | boolean | Date | Amount | null | undefined;
type Amount = { cents: number };
export type Column<Row> = { header: string; cell: (row: Row) => Cell };

/** @param cells the value of each column for a row */
export const fileColumns = <List extends { file: { headers: Readonly<Record<string, string>> } }, Row>(
  { file: { headers } }: List,
  cells: Readonly<Record<HeaderOf<List>, Column<Row>['cell']>>,
): Column<Row>[] => Object.entries(headers).map(([name, header]) => ({ header, cell: cells[name as HeaderOf<List>] }));

const byteOrderMark = '\ufeff'; // without it, spreadsheets do not detect UTF-8
const rowsPerPage = 500;

/**
 * Sends a list as a file.
 * @param file.name such as 'products'; the date is appended
 * @param file.timeZone the shop's, for all times in the file
 * @param file.ids of all rows, in the list's order
 * @param file.read reads the rows of some ids, in any order; deleted rows are left out, and several rows of one id stay together
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
  // the socket requests later pages, outside of this call's async context, so the context is bound here
  const pages = writePages({ ...file, read: AsyncResource.bind(file.read) });
  const first = await pages.next(); // an error here still becomes a normal error response
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
  for (let from = 0; from < ids.length; from += rowsPerPage) {
    const wanted = ids.slice(from, from + rowsPerPage);
    const found = rowsById(await read(wanted));
    const rows = wanted.flatMap((id) => found.get(id) ?? []);
    yield before + lines(rows.map((row) => columns.map(({ cell }) => writeCell(cell(row), timeOf))));
    before = '';
  }
  if (before) yield before;
}

function rowsById<Row extends { id: string | number }>(rows: readonly Row[]): Map<Row['id'], Row[]> {
  const byId = new Map<Row['id'], Row[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  return byId;
}

const lines = (rows: string[][]) => stringify(rows, { quoted: true, quoted_empty: true });

/**
 * A formula begins with = + - or @. East Asian spreadsheets also accept their full-width and small forms, and older
 * programs run what follows % or |. Some readers drop spaces and quotation marks before it.
 */
const formula = /^[\s"']*[=+\-@%|＝＋－＠％｜﹦﹢﹣﹫]/;
const nothing = /^[\s"']*$/;

/**
 * Applies `change` wherever a formula could begin: at the start of the text, and where a reader may split the cell despite
 * the quotation marks, such as one that expects semicolons. The pattern allows a leading apostrophe, so it matches both
 * marked and unmarked text.
 */
function changeFormulas(text: string, change: (part: string) => string): string {
  const parts = text.split(/([;\t\r\n])/); // odd indexes are separators
  const beginsWithTab = parts.length > 1 && parts[1] !== ';' && nothing.test(parts[0] ?? '');
  return parts
    .map((part, at) => ((at % 2 === 0 && formula.test(part)) || (at === 0 && beginsWithTab) ? change(part) : part))
    .join('');
}

/** Formats a cell so that no spreadsheet evaluates it. @param timeOf formats an instant */
export function writeCell(cell: Cell, timeOf = timeIn('UTC')): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return timeOf(cell);
  if (typeof cell === 'object') return fromCents(cell.cents).toFixed(2);
  if (typeof cell !== 'string') return String(cell);
  return changeFormulas(cell, (part) => `'${part}`);
}

/**
 * Text that a spreadsheet would convert to a number, amount, date, time or boolean. Each text fits it in one way at most, so
 * that a long one takes no longer than its length: the spaces in front are taken whole, and the end of 'june5' is no 'e5'.
 */
const value =
  /^[ "']*(?![ "'])(?:true|false|(?:(?<= )|(?![+\-%]))(?=.*\d)(?:[\d.,:/$\u20ac\u00a3%()+\- ]|e(?=[\d+-])|[ap]m|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|jun(?:e(?![\d+-]))?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)+)$/i;

/** Marks text so that it stays text: spreadsheets convert '007' to 7. `readCell` removes the mark. */
export const saveText = (text: string): string => (value.test(text) ? `'${text}` : text);

/** The inverse of `writeCell` and `saveText`, for imports. */
export function readCell(text: string): string {
  if (value.test(text)) return text.startsWith("'") ? text.slice(1) : text;
  return changeFormulas(text, (part) => (part.startsWith("'") ? part.slice(1) : part));
}
