/** Products as a CSV file: what the export writes, and the rows of a file that comes back. */
import type { Column } from '../http/csv';
import { readCsvFile, type CsvRow } from '../http/csvFile';
import { productFieldNames, productFields, type ProductFieldName } from '../../shared/productFields';
import { asForm } from './productFacts';
import type { StaffProductRow } from './staffRepository';

type Cell = Column<StaffProductRow>['cell'];

/** The facts that come first. The others follow in the order of their table. */
const first = ['name', 'description', 'price', 'unitCost', 'availability'] as const;
const stock: Record<string, Cell> = {
  quantity: ({ quantity }) => quantity,
  quantityWas: ({ quantity }) => quantity,
  category: ({ category }) => category.name,
};

/** A price is no text: no spreadsheet takes it for a formula, and it stays a number in it. */
const cellOf =
  (name: ProductFieldName): Cell =>
  (product) => {
    const { kind } = productFields[name];
    if (kind === 'money' || kind === 'list') return asForm(product, product.category.name)[name];
    return product[name as keyof StaffProductRow] as ReturnType<Cell>;
  };
const cellsOf = (names: readonly ProductFieldName[]) => Object.fromEntries(names.map((name) => [name, cellOf(name)]));

/** In the order of the file. */
const cells: Record<string, Cell> = {
  id: ({ id }) => id,
  ...cellsOf(first),
  ...stock,
  ...cellsOf(productFieldNames.filter((name) => !(first as readonly string[]).includes(name))),
  version: ({ version }) => version,
  archived: ({ archivedAt }) => archivedAt !== null,
};
export const productColumns: readonly Column<StaffProductRow>[] = Object.entries(cells).map(([header, cell]) => ({
  header,
  cell,
}));

/** @throws Problem 400 invalid_csv, 413 payload_too_large */
export const readProductCsv = (file: unknown): CsvRow[] =>
  readCsvFile(
    file,
    productColumns.map(({ header }) => header),
  );
