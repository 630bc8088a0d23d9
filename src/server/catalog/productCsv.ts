/** Products as a CSV file: what the export writes, and the rows of a file that comes back. */
import type { Column } from '../http/csv';
import { readCsvFile, type CsvRow } from '../http/csvFile';
import { asForm, type ProductText } from './productText';
import type { StaffProductRow } from './staffRepository';

const text =
  (field: keyof ProductText) =>
  (product: StaffProductRow): string =>
    asForm(product, product.category.name)[field];

type Header = keyof ProductText | 'id' | 'quantity' | 'quantityWas' | 'version' | 'archived';

/** In the order of the file. A price is no text: no spreadsheet takes it for a formula, and it stays a number in it. */
const cells: Record<Header, Column<StaffProductRow>['cell']> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  description: text('description'),
  price: text('price'),
  unitCost: text('unitCost'),
  availability: ({ availability }) => availability,
  quantity: ({ quantity }) => quantity,
  quantityWas: ({ quantity }) => quantity,
  category: ({ category }) => category.name,
  unitSize: ({ unitSize }) => unitSize,
  origin: ({ origin }) => origin,
  heatLevel: ({ heatLevel }) => heatLevel,
  allergens: text('allergens'),
  otherNames: text('otherNames'),
  taxable: ({ taxable }) => taxable,
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
