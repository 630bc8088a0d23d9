/** Names what a product form has not saved yet. Rule: docs/rules/catalog.md, Product form */
import { typedSizeInWords } from '../../../shared/typedSizes';
import { shortSize, type Units } from '../../../shared/unitPrice';
import { fieldLabels, type ProductValues } from './productValues';
import {
  changedFields,
  netFields,
  type ProductFormValues,
  type SizeField,
  sizeFields,
  sizeLabels,
  type SizeRow,
} from './sizeRows';
import type { PhotoEntry, SavedPhoto } from './usePhotos';

interface Unsaved {
  /** As the form library has it: a changed field is true. */
  dirty: { [Name in keyof ProductFormValues]?: unknown };
  values: Pick<ProductFormValues, (typeof netFields)[number] | 'sizes'>;
  /** The rows of sizes as the form last showed them from the shop. */
  opened: readonly SizeRow[];
  photos: { shown: readonly PhotoEntry[]; saved: readonly SavedPhoto[] };
  units: Units;
}

/** @returns 'price of 8 oz', 'photo 4' */
export function unsavedChanges({ dirty, values, opened, photos, units }: Unsaved): string[] {
  const sizeIn = (row: Pick<SizeRow, (typeof netFields)[number]>) => shortSize(typedSizeInWords(row, units)) ?? '';
  const changed = (Object.keys(fieldLabels) as (keyof ProductValues)[]).filter((name) => dirty[name] === true);
  const ofSize = changed.filter((name): name is SizeField => values.sizes.length > 0 && isSizeField(name));
  const others = changed.filter((name) => !ofSize.includes(name as SizeField));
  return [
    ...others.map((name) => inSentence(fieldLabels[name])),
    ...namesOf(ofSize, sizeIn(values)),
    ...values.sizes.flatMap((row) => {
      const size = sizeIn(row) || row.name;
      if (row.id === '') return [`new size ${size}`.trim()];
      return row.isRemoved ? [`${size} deleted`] : namesOf(changedFields(row, opened), size);
    }),
    ...photoChanges(photos),
  ];
}

const isSizeField = (name: string): name is SizeField => (sizeFields as readonly string[]).includes(name);

/** The three fields that hold a size are one field of the table. */
function namesOf(fields: readonly SizeField[], size: string): string[] {
  const isOfName = (field: SizeField) => (netFields as readonly string[]).includes(field);
  const words = new Set(fields.map((field) => (isOfName(field) ? 'size' : inSentence(sizeLabels[field]))));
  return [...words].map((word) => (size ? `${word} of ${size}` : word));
}

/** 'Compare-at price' becomes 'compare-at price', 'SKU' stays. */
const inSentence = (label: string) =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

function photoChanges({ shown, saved }: Unsaved['photos']): string[] {
  const before = new Map(saved.map(({ id, alt }) => [id, alt ?? '']));
  const kept = shown.flatMap(({ id }) => id ?? []);
  const left = saved.map(({ id }) => id).filter((id) => kept.includes(id));
  const removed = saved.length - left.length;
  const changed = shown.flatMap(({ id, alt }, index) =>
    id === undefined || before.get(id) !== alt.trim() ? [`photo ${index + 1}`] : [],
  );
  const isFirstNew = shown.findIndex(({ id }) => id === undefined);
  const isMoved = left.some((id, index) => kept[index] !== id) || (isFirstNew !== -1 && isFirstNew < kept.length);
  return [
    ...changed,
    ...(removed > 0 ? [removed === 1 ? '1 photo removed' : `${removed} photos removed`] : []),
    ...(isMoved ? ['order of photos'] : []),
  ];
}
