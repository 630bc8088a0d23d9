/** Rows of a file of any source as rows of the shop's own CSV. */
import type { CsvLine } from '../http/csv/csvText';
import { cellName } from '../http/csv/csvText';
import { importNotes } from '../../shared/imports';
import { oldAddressOf } from '../../shared/oldAddresses';
import { productFields, type ProductFieldName } from '../../shared/productFields';
import type { ImportedPhoto, RowExtras } from '../db/schema/imports';
import { readCell } from '../http/csv/csvDownload';
import type { FileColumns } from './fileColumns';
import type { TextReader } from './texts';

/** A product of a file, by the columns of the shop's own CSV. */
export type ImportedRow = Omit<RowExtras, 'units'> & {
  line: number;
  cells: Map<string, string>;
  notes: string[];
};

/** A record's cells by field, with the cell's name for errors. */
export type FieldCells = {
  line: number;
  get: (field: string) => string;
  has: (field: string) => boolean;
  places: RowExtras['places'];
};

export function fieldCells({ record, line, place }: CsvLine, columns: FileColumns): FieldCells {
  const cells = new Map<string, string>();
  const places: RowExtras['places'] = {};
  columns.forEach(({ name, field }, at) => {
    if (field === null) return;
    cells.set(field, readCell(record[at] ?? ''));
    places[field] = { column: name, cell: cellName(at, place) };
  });
  return { line, get: (field) => cells.get(field)?.trim() ?? '', has: (field) => cells.has(field), places };
}

const notCells = new Set(['photos', 'photoAlt', 'oldAddress']);

/**
 * A row of the shop's own file, or of any other file with a column for each field.
 * @param read undefined for the shop's own, whose texts may look like HTML
 */
export function simpleRow(line: CsvLine, columns: FileColumns, read: TextReader | undefined): ImportedRow {
  const from = fieldCells(line, columns);
  const cells = new Map(
    columns.flatMap(({ field }) =>
      field === null || notCells.has(field) ? [] : [[field, writtenAs(field, from.get(field), read)] as const],
    ),
  );
  const link = from.get('oldAddress');
  const oldAddress = oldAddressOf(link);
  return {
    line: from.line,
    cells,
    places: from.places,
    key: null,
    photos: photosOf(from.get('photos'), from.get('photoAlt')),
    ...(oldAddress && { oldAddress }),
    notes: link !== '' && oldAddress === undefined ? [oldAddressNote(link)] : [],
  };
}

/** In a note, in characters. */
export const longestLink = 80;
export const oldAddressNote = (link: string) => importNotes.oldAddress(link.slice(0, longestLink));

/** @param text one or several URLs, separated by commas, semicolons or spaces */
export function photosOf(text: string, alt = ''): ImportedPhoto[] {
  const urls = text.split(/(?<![\s,;|])[\s,;|]+(?=https?:)|\s+/i).filter(Boolean);
  return urls.map((url, at) => ({ url, alt: at === 0 && alt !== '' ? alt : null }));
}

/** Changes what people write in other ways: yes and no, '1,250' units, descriptions with tags. */
function writtenAs(field: string, text: string, read: TextReader | undefined): string {
  if (field === 'quantity') return wholeNumber(text);
  if (field === 'description') return read ? read(text) : text;
  const kind = productFields[field as ProductFieldName]?.kind;
  return kind === 'flag' ? flagOf(text) : text;
}

const yes = new Set(['yes', 'y', 'true', '1', 'available', 'active', 'enabled', 'taxable', 'in stock', 'on', 'x']);
const no = new Set(['no', 'n', 'false', '0', '-1', 'not available', 'unavailable', 'inactive', 'disabled', 'none']);
const noToo = new Set(['not taxable', 'out of stock', 'off', 'draft', 'hidden']);

/** @returns 'true' or 'false' for what people write for it; any other text unchanged */
export function flagOf(text: string): string {
  const word = text.trim().toLowerCase();
  if (yes.has(word)) return 'true';
  return no.has(word) || noToo.has(word) ? 'false' : text;
}

/** @returns '1250' for '1,250' and '1250.00'; any other text unchanged */
export function wholeNumber(text: string): string {
  const plain = text.trim().replace(/[.,]0{1,2}$/, '');
  return /^\d{1,3}(?:,\d{3})+$/.test(plain) ? plain.replaceAll(',', '') : plain;
}
