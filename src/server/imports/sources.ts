/** The products of a file, by the source that wrote it. */
import type { FileColumns, Source } from './columns';
import type { ProductFile } from './file';
import { simpleRow, type ImportedRow } from './rows';

export type { ImportedRow } from './rows';

/** @param see gets each record of the file */
export async function* readRows(
  file: ProductFile,
  columns: FileColumns,
  source: Source,
  see: (record: readonly string[]) => void,
): AsyncGenerator<ImportedRow> {
  const keyOf = createKeys();
  for await (const line of file.lines()) {
    see(line.record);
    const row = simpleRow(line, columns, source === 'shop');
    yield { ...row, key: row.cells.get('id') ? null : keyOf(row) };
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
