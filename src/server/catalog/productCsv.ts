/** The CSV format of products, for export and import. */
import { type Column, saveText } from '../http/csv/csvDownload';
import { readCsvFile, type CsvRow } from '../http/csv/csvFile';
import { columnOf, productCsvColumns, productFields, type ProductFieldName } from '../../shared/productFields';
import { asForm, type StoredFacts } from './productFacts';
import type { StaffProductRow } from './staffRepository';

type Cell = Column<StaffProductRow>['cell'];

/** Columns that are not product facts. */
const others: Record<string, Cell> = {
  id: ({ id }) => id,
  quantity: ({ quantity }) => quantity,
  quantityWas: ({ quantity }) => quantity,
  category: ({ category }) => category.name,
  sizeGroup: ({ sizeGroup }) => sizeGroup,
  version: ({ version }) => version,
  archived: ({ archivedAt }) => archivedAt !== null,
};

/** A price is not text: it cannot be a formula, and spreadsheets should read it as a number. */
const cellOf =
  (name: ProductFieldName): Cell =>
  (product) => {
    const { kind } = productFields[name];
    const stored = product[columnOf(name) as keyof StoredFacts];
    if (kind === 'money') return stored === null ? null : { cents: Number(stored) };
    if (kind === 'text' || kind === 'list' || kind === 'month')
      return saveText(asForm(product, product.category.name)[name]);
    return stored as ReturnType<Cell>;
  };

/** In file order. */
export const productColumns: readonly Column<StaffProductRow>[] = productCsvColumns.map((header) => ({
  header,
  cell: others[header] ?? cellOf(header as ProductFieldName),
}));

/** @throws Problem 400 invalid_csv, 413 payload_too_large */
export const readProductCsv = (file: unknown): CsvRow[] =>
  readCsvFile(
    file,
    productColumns.map(({ header }) => header),
  );
