/** The products of a file, by the source that wrote it. */
import type { CsvLine } from '../http/csv/csvText';
import type { FileColumns, Source } from './fileColumns';
import type { ProductFile } from './file';
import { simpleRow, type ImportedRow } from './rows';
import { shopifyRows } from './shopify';
import { openTextReader, type TextReader } from './texts';
import { wooRows } from './woocommerce';

export type { ImportedRow } from './rows';

/** @param see gets each record of the file */
export async function* readRows(
  file: ProductFile,
  columns: FileColumns,
  source: Source,
  see: (record: readonly string[]) => void,
): AsyncGenerator<ImportedRow> {
  const read = await openTextReader();
  if (source === 'woocommerce') yield* wooRows(file, columns, read, see);
  else if (source === 'shopify') yield* shopifyRows(seen(file.lines(), see), columns, read);
  else yield* plainRows(seen(file.lines(), see), columns, source === 'shop' ? undefined : read);
}

/** @param read undefined for the shop's own file */
async function* plainRows(
  lines: AsyncIterable<CsvLine>,
  columns: FileColumns,
  read: TextReader | undefined,
): AsyncGenerator<ImportedRow> {
  const keyOf = createKeys();
  for await (const line of lines) {
    const row = simpleRow(line, columns, read);
    yield { ...row, key: row.cells.get('id') ? null : keyOf(row) };
  }
}

async function* seen(lines: AsyncIterable<CsvLine>, see: (record: readonly string[]) => void): AsyncGenerator<CsvLine> {
  for await (const line of lines) {
    see(line.record);
    yield line;
  }
}

/** A row without an id is known by its SKU, else by its name and size, counted within the file. */
function createKeys() {
  const counts = new Map<string, number>();
  return ({ cells }: ImportedRow): string | null => {
    const text = (field: string) => (cells.get(field) ?? '').trim().toLowerCase();
    if (text('sku')) return `sku ${text('sku')}`;
    if (!text('name')) return null;
    const base = `name ${text('name')} ${text('unitSize')}`;
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    return count === 1 ? base : `${base} ${count}`;
  };
}
