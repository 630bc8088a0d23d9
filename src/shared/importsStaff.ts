/** Messages of the page that imports products. Rule: docs/rules/catalog.md, The import page */
import type { Schema } from './contract';
import { countOf, formatCount } from './counts';
import { extraImportColumns } from './imports';
import { productCsvColumns, type ProductFieldName, productFields } from './productFields';

type Counts = Schema<'ImportCounts'>;

export const importPageMessages = {
  drop: 'Drop a CSV file here',
  dropAgain: 'Drop the same file here again',
  limits:
    "Up to 10,000 rows and 20 MB, or 110,000 rows and 100 MB in this shop's own CSV. Photos are fetched from the links in your file.",
  anyFile:
    "We recognize these files automatically. Any other CSV works too: you match its columns in the next step. Nothing is imported until you've reviewed it.",
  uploading: 'Uploading',
  reading: 'Checking each row',
  lost: "The connection was lost, so the file wasn't checked. Nothing has changed. Send it again.",
  mustMatch: 'Choose what each column of your file is. We remember it for the next file with the same columns.',
  chooseAgain: 'To change what a column is, choose the same file again. This page keeps no copy of it.',
  twice: (label: string) => `Two columns are ${label}. Choose something else for one of them.`,
  noRows: 'No rows here.',
  rowsGone: 'The rows are kept for 30 days, and these are older.',
  nothingToDo: 'Nothing to import: your shop has all of this already.',
  allWrong: 'No row can be imported yet. Fix the rows with errors in your file, then choose it again.',
  wrongStay: (wrong: number) =>
    `${countOf(wrong, 'row')} with errors won't be imported. Fix them in your file and import it again; nothing is added twice.`,
  newCategories: (titles: readonly string[]) =>
    titles.length === 1
      ? `This adds a new category: ${titles.join()}.`
      : `This adds ${formatCount(titles.length)} new categories: ${titles.join(', ')}.`,
  importing: 'Importing rows',
  undoing: 'Undoing',
  mayLeave: 'You can leave this page. The import continues.',
  outOfReach: "We can't reach the shop right now. The import continues there.",
  failed: 'Not one row could be imported. The rows below say why.',
  photosGoOn: 'You can leave this page. The photos keep coming.',
  undoAsks: 'Undo this import?',
  undoText:
    'Products it added are deleted. Fields it changed go back to what they were, unless someone has changed them since.',
  undoBy: (time: string) => `You can undo this import until ${time}.`,
  undone: 'The products that it added are deleted, and the fields that it changed are back.',
  photos: 'Fetching photos',
  photosAgain:
    "These photos couldn't be loaded. Fix their links in the file and import it again, or add them to the product.",
  kept: 'These stay as they are:',
  firstProblems: 'Only the first 200 are listed.',
  none: 'No imports yet.',
} as const;

/** Where to find the file in each shop system. */
export const importPlaces = [
  { name: 'Shopify', steps: 'Products › Export › All products, CSV' },
  { name: 'WooCommerce', steps: 'Products › All Products › Export › Generate CSV' },
  { name: 'This shop', steps: 'Products › Export CSV. Rows with an ID update a product; rows without one add it.' },
] as const;

/** @returns '188 new, 20 changed, 4 unchanged, 2 with errors' */
export const countsInWords = ({ new: added, changed, unchanged, wrong }: Counts): string =>
  [
    `${formatCount(added)} new`,
    `${formatCount(changed)} changed`,
    `${formatCount(unchanged)} unchanged`,
    `${formatCount(wrong)} with errors`,
  ].join(', ');

/** The label of the button that starts the import. */
export const runLabel = ({ new: added, changed, wrong }: Counts): string => {
  const right = added + changed;
  return wrong > 0 && right > 0 ? `Import the ${formatCount(right)} right rows` : `Import ${countOf(right, 'row')}`;
};

const otherLabels: Readonly<Record<string, string>> = {
  ...extraImportColumns,
  id: 'ID',
  quantity: 'Stock',
  category: 'Category',
  sizeGroup: 'Group of sizes',
};

/** @param field of a column @returns how the page names it */
export const importFieldLabel = (field: string): string =>
  field in productFields
    ? productFields[field as ProductFieldName].label
    : (otherLabels[field] ?? field.charAt(0).toUpperCase() + field.slice(1));

const notForOthers = new Set(['quantityWas', 'version', 'archived']);

/** Fields that a column of any file may fill, with their labels. */
export const importFields: readonly { name: string; label: string }[] = [
  ...productCsvColumns.filter((name) => !notForOthers.has(name)),
  ...Object.keys(extraImportColumns),
].map((name) => ({ name, label: importFieldLabel(name) }));

/** The fields without which no product can be added. */
export const neededForNew: readonly string[] = ['name', 'price'];

/** @param fields of the file's columns @returns what a new product needs and no column has; undefined if nothing */
export function missingInWords(fields: readonly string[]): string | undefined {
  const missing = neededForNew.filter((name) => !fields.includes(name)).map(importFieldLabel);
  return missing.length === 0
    ? undefined
    : `No column is ${missing.join(' or ')}. New products need it; products that you have already can be changed without.`;
}
