/** The further sizes of a product as rows of its form, and what a save sends of them. */
import { bySize } from '../../../shared/sizeGroups';
import type { TypedSize } from '../../../shared/typedSizes';
import { productFields } from '../../../shared/productFields';
import { plainText } from '../../../shared/productTexts';
import { stockReasons } from '../../../shared/catalogStaff';
import { type FormFields } from '../staffCalls';
import type { ProductValues } from './productValues';
import type { StaffProduct } from './queries';

/** A row: its fields are texts, like those of the form. */
export type SizeRow = Record<SizeField, string> & {
  /** Empty: new. */
  id: string;
  /** Of the product; empty: new. */
  name: string;
  /** As the form showed it. */
  version: number;
  quantityWas: number;
  stockReason: string;
  /** It's archived by the next save. */
  isRemoved: boolean;
};

export const netFields = ['unitSize', 'netGrams', 'netMillilitres'] as const satisfies (keyof TypedSize)[];
const factFields = [...netFields, 'sku', 'barcode', 'price', 'compareAtPrice', 'shippingGrams'] as const;
type FactField = (typeof factFields)[number];
/** The fields that the table of sizes edits. */
export type SizeField = FactField | 'quantity';
export const sizeFields: readonly SizeField[] = [...factFields, 'quantity'];

/** In the table of sizes. The fields of the size itself are one field there. */
export const sizeLabels: Readonly<Record<SizeField, string>> = {
  unitSize: 'Size',
  netGrams: 'Size',
  netMillilitres: 'Size',
  sku: 'SKU',
  barcode: 'Barcode',
  price: 'Price',
  compareAtPrice: 'Compare-at',
  shippingGrams: 'Weight (g)',
  quantity: 'Stock',
};

export type ProductFormValues = ProductValues & { stockReason: string; sizes: SizeRow[] };

export const newRow: SizeRow = {
  ...(Object.fromEntries(sizeFields.map((name) => [name, ''])) as Record<SizeField, string>),
  id: '',
  name: '',
  version: 0,
  quantityWas: 0,
  stockReason: stockReasons[0],
  isRemoved: false,
};

type StaffSize = NonNullable<StaffProduct['sizes']>[number];

/** The other sizes on sale, in the order of the chips, and the place of the product itself among them. */
export function rowsOf({ id, sizes = [] }: StaffProduct): { rows: SizeRow[]; ownPlace: number } {
  const shown = sizes.filter((size) => !size.archived).toSorted(bySize);
  const ownPlace = Math.max(
    0,
    shown.findIndex((size) => size.id === id),
  );
  return { rows: shown.filter((size) => size.id !== id).map(rowOf), ownPlace };
}

const rowOf = (size: StaffSize): SizeRow => ({
  ...newRow,
  id: size.id,
  name: size.name,
  version: size.version,
  unitSize: size.unitSize ?? '',
  netGrams: String(size.netGrams ?? ''),
  netMillilitres: String(size.netMillilitres ?? ''),
  sku: size.sku ?? '',
  barcode: size.barcode ?? '',
  price: size.price.toFixed(2),
  compareAtPrice: size.compareAtPrice?.toFixed(2) ?? '',
  shippingGrams: String(size.shippingGrams ?? ''),
  quantity: String(size.quantity),
  quantityWas: size.quantity,
});

const plain = (name: SizeField, text: string) =>
  name === 'quantity' ? text.trim() : plainText(productFields[name], text);

export const isSameField = (name: SizeField, one: SizeRow, other: SizeRow): boolean =>
  plain(name, one[name]) === plain(name, other[name]);

/**
 * @param opened the rows as the form last showed them from the shop
 * @returns the form's fields, and the place in `rows` of each row that is sent
 */
export function rowsToSend(rows: readonly SizeRow[], opened: readonly SizeRow[]) {
  const sent = rows.flatMap((row, place) => {
    const fields = row.isRemoved ? [] : changedFields(row, opened);
    return fields.length > 0 ? [{ place, size: asSizeForm(row, fields) }] : [];
  });
  const removedSizes = rows.flatMap(({ isRemoved, id }) => (isRemoved ? [id] : []));
  const fields: FormFields = {
    ...(sent.length > 0 && { sizes: JSON.stringify(sent.map(({ size }) => size)) }),
    ...(removedSizes.length > 0 && { removedSizes }),
  };
  return { fields, places: sent.map(({ place }) => place), removedSizes };
}

/** @returns the fields that a save sends: of a new row all */
export function changedFields(row: SizeRow, opened: readonly SizeRow[]): readonly SizeField[] {
  const before = opened.find(({ id }) => row.id !== '' && id === row.id);
  return before ? sizeFields.filter((name) => !isSameField(name, row, before)) : sizeFields;
}

function asSizeForm(row: SizeRow, fields: readonly SizeField[]) {
  const { id, version, quantityWas, stockReason } = row;
  const sent = Object.fromEntries(fields.map((name) => [name, row[name].trim()]));
  if (id === '') return sent;
  return { id, version, ...sent, ...(fields.includes('quantity') && { quantityWas, stockReason }) };
}

/**
 * The rows after a colleague's changes: what was typed stays, everything else is what the shop has now.
 * @param fresh the shop's rows now
 */
export function mergeRows(rows: readonly SizeRow[], opened: readonly SizeRow[], fresh: readonly SizeRow[]): SizeRow[] {
  const merged = rows.flatMap((row) => {
    const now = fresh.find(({ id }) => id === row.id);
    const before = opened.find(({ id }) => id === row.id);
    if (row.id === '' || !before) return [row];
    if (!now) return [];
    const typed = factFields.filter((name) => !isSameField(name, row, before));
    const isCounted = !isSameField('quantity', row, before);
    const quantity = isCounted ? String(now.quantityWas + Number(row.quantity) - before.quantityWas) : now.quantity;
    const { stockReason, isRemoved } = row;
    return [
      { ...now, ...Object.fromEntries(typed.map((name) => [name, row[name]])), quantity, stockReason, isRemoved },
    ];
  });
  const known = new Set(rows.map(({ id }) => id));
  return [...merged, ...fresh.filter(({ id }) => !known.has(id))];
}
