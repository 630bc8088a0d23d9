/** Limits and messages of imports of products. Rule: docs/rules/catalog.md, Importing a file */
import type { Schema } from './contract';
import { formatCount } from './counts';
import { productCsvColumns } from './productFields';

const megabyte = 1024 * 1024;

/** The contract has the same limits. */
export const importLimits = {
  fileBytes: 20 * megabyte,
  rows: 10_000,
  /** Of a file with the shop's own columns, so that each export can be imported again. */
  own: { fileBytes: 100 * megabyte, rows: 110_000 },
  /** Errors that an import names. Its rows have all. */
  problems: 200,
  undoHours: 24,
  /** How long the rows of an import are kept. */
  rowDays: 30,
} as const;

/** The longest sample of a column, in characters. */
export const maxFieldSample = 100;

export const importStates: Record<Schema<'Import'>['state'], string> = {
  mapping: 'Match columns',
  previewed: 'Not imported yet',
  running: 'Importing',
  done: 'Imported',
  failed: 'Failed',
  undoing: 'Undoing',
  undone: 'Undone',
};

export const importSources: Record<Schema<'Import'>['source'], string> = {
  shop: "This shop's CSV",
  shopify: 'Shopify export',
  woocommerce: 'WooCommerce export',
  other: 'Other CSV',
};

/** Columns that a file may have besides those of the shop's own CSV. */
export const extraImportColumns = {
  photos: 'Photo links',
  photoAlt: 'Photo description',
  oldAddress: 'Old address',
} as const;
export type ExtraImportColumn = keyof typeof extraImportColumns;

/** The names of the shop's own columns, by their names in small letters. */
export const ownImportColumns: ReadonlyMap<string, string> = new Map(
  [...productCsvColumns, ...Object.keys(extraImportColumns)].map((name) => [name.toLowerCase(), name]),
);

/** @param header the names of a file's columns @returns whether the file is this shop's own */
export function isOwnImport(header: readonly string[]): boolean {
  const named = header.map((name) => name.trim().toLowerCase()).filter(Boolean);
  return named.length > 1 && named.every((name) => ownImportColumns.has(name));
}

/** @returns the most bytes and rows of a file with this header */
export const importLimitsOf = (header: readonly string[]): { fileBytes: number; rows: number } =>
  isOwnImport(header) ? importLimits.own : importLimits;

/** The category of a product that has none in its former shop. */
export const importedCategory = 'Imported';

export const importCallMessages = {
  listImports: { success: 'Imports found', failure: "Couldn't load the imports" },
  getImport: { success: 'Import found', failure: "Couldn't load the import" },
  listImportRows: { success: 'Rows found', failure: "Couldn't load the rows" },
  startImport: { success: 'Nothing has changed yet', failure: "Couldn't read the file. Try again." },
  runImport: { success: 'Import started', failure: "Couldn't start the import. Try again." },
  undoImport: { success: 'Undoing the import', failure: "Couldn't undo the import. Try again." },
} as const;

export const importErrors = {
  notFound: "This import doesn't exist",
  unreadable: "We can't read this file. Save it as CSV and try again.",
  tooLarge: (most: number) =>
    `This file is over ${most / megabyte} MB. Split it into smaller files, and import them one after another.`,
  tooManyRows: (most: number) =>
    `Product files can have up to ${formatCount(most)} rows. Split this one, and import its parts one after another.`,
  wrongRows: 'Fix the rows with errors, or import only the others',
  started: 'This import was started already',
  notReady: 'Match the columns first',
  rowsGone: 'This preview is too old. Upload the file again.',
  notUndoable: 'This import can no longer be undone',
  mapping: 'Choose a field for each column',
  unknownField: (field: string) => `There's no field "${field}"`,
  fieldTwice: (one: string, other: string) => `"${one}" and "${other}" have the same field. Leave one of them out.`,
  noName: 'Choose the column with the name of each product',
  row: "We couldn't import this row. Import the file again to retry it.",
  changedSince: 'Someone changed this since the import, so it stays',
  stockSold: 'Fewer units are left than the import added, so the stock stays',
} as const;

/** What an import leaves out or does differently. */
export const importNotes = {
  stockRepeated: 'This file was imported before, so its stock stays as it is',
  stockMended: 'This file was imported before with other units, so its stock changes by the difference',
  stockShared: 'Its old shop counts its stock together with other sizes, so it starts with 0 units',
  archived: "It wasn't on sale in your old shop, so it's added as deleted. Restore it when you want to sell it.",
  isDeleted: 'This product is deleted, and stays deleted',
  stockNotCounted: "Your old shop doesn't count its stock, so it starts with 0 units",
  stockBelowZero: 'Its stock was below 0, so it starts with 0 units',
  barcode: (text: string) => `Its barcode "${text}" is left out, because its digits aren't right`,
  tags: 'Some of its tags are left out: a product has up to 20, of up to 30 characters',
  pageTitle: 'Its page title is left out, because it is longer than 60 characters',
  photo: (url: string, problem: string) => `A photo is left out (${url}): ${problem}`,
  oldAddress: (link: string) =>
    `Its old address ${link} is left out. We can redirect links such as /product/black-pepper or /products/black-pepper.`,
  addressOfCategory: (path: string) => `Its old address ${path} leads to a category of this shop`,
  addressOfProduct: (path: string) => `Its old address ${path} already leads to another product`,
} as const;
