/**
 * The facts of a product that staff fill in, each defined once. Its form and sentences, the columns of its CSV file, the
 * audit log's words, the answers of the API and the pages that show it come from here. `openapi/catalog.yaml` and the
 * column in `src/server/db/schema/catalog.ts` are written by hand; tests/shared/productFields.test.ts holds them together.
 * Rule: docs/rules/catalog.md, Products
 */
import type { Schema } from './contract';

type Common = {
  label: string;
  hint?: string;
  /** Every product has it. Other fields may be left out or empty. */
  isRequired?: true;
  /** The name of the column, and of the fact in the audit log, where it is not the field's own. */
  column?: string;
  /** Only staff see it. */
  isForStaff?: true;
  /** Two such fields stand side by side in the form. */
  isHalf?: true;
  /** How the product's page calls it; without it the page has no row for it. */
  fact?: {
    name: string;
    isCapitalized?: true;
    /** Shown where there is none; otherwise the row is left out. */ none?: string;
  };
};
export type ProductField = Common &
  (
    | { kind: 'text'; maxLength: number; /** Of a text of several lines. */ rows?: number }
    /** Dollars in forms and answers, integer cents in the database. */
    | { kind: 'money'; sentence: string; isAboveZero?: true }
    | { kind: 'flag'; words: readonly [yes: string, no: string]; sentence: string }
    /** A whole number from 0. */
    | { kind: 'level'; most: number; sentence: string }
    /** Texts with commas between them. */
    | { kind: 'list'; maxLength: number }
  );

/** Those of the contract's form that are no facts: stock, category, picture, and what a form was opened with. */
type NoFact = 'quantity' | 'category' | 'file' | 'quantityWas' | 'version';
export type ProductFieldName = Exclude<keyof Schema<'ProductForm'>, NoFact>;

const fields = {
  name: { kind: 'text', label: 'Name', isRequired: true, maxLength: 120 },
  description: { kind: 'text', label: 'Description', isRequired: true, maxLength: 5000, rows: 4 },
  price: {
    kind: 'money',
    label: 'Price',
    isRequired: true,
    column: 'priceCents',
    sentence: 'Please enter a price such as 4.50',
    isAboveZero: true, // the provider takes no payment of $0.00, so such an order could never be paid
  },
  availability: {
    kind: 'flag',
    label: 'Availability',
    isRequired: true,
    words: ['Available', 'Not Available'],
    sentence: 'Please choose whether it is available',
  },
  unitSize: { kind: 'text', label: 'Unit size', maxLength: 40, isHalf: true, fact: { name: 'Size' } },
  origin: { kind: 'text', label: 'Origin', maxLength: 80, isHalf: true, fact: { name: 'Origin' } },
  heatLevel: {
    kind: 'level',
    label: 'Heat',
    most: 5,
    sentence: 'Please choose a heat from 0 to 5',
    isHalf: true,
    fact: { name: 'Heat' },
  },
  unitCost: {
    kind: 'money',
    label: 'Unit cost',
    hint: 'What one costs the shop. Only staff see it.',
    column: 'unitCostCents',
    sentence: 'Please enter a cost such as 2.10',
    isForStaff: true,
    isHalf: true,
  },
  taxable: {
    kind: 'flag',
    label: 'Sales tax',
    words: ['Taxable', 'Not taxable'],
    sentence: 'Please choose whether it is taxed',
  },
  allergens: {
    kind: 'list',
    label: 'Allergens',
    hint: 'With commas between them',
    maxLength: 40,
    fact: { name: 'Allergens', isCapitalized: true, none: 'None listed' },
  },
  otherNames: {
    kind: 'list',
    label: 'Other names',
    hint: 'With commas between them. The search finds them.',
    maxLength: 80,
    fact: { name: 'Also called' },
  },
} as const satisfies Record<ProductFieldName, ProductField>;

export type FieldOf<Name extends ProductFieldName> = (typeof fields)[Name];
export const productFields: Readonly<Record<ProductFieldName, ProductField>> = fields;
export const productFieldNames = Object.keys(fields) as ProductFieldName[];

/** The fact's column in the database, which is also its name in the audit log. */
export const columnOf = (name: ProductFieldName): string => productFields[name].column ?? name;

/** The most entries of a list. */
export const maxListItems = 20;

/** The facts that come first in the CSV file. The others follow in the order of the table. */
const firstInCsv: readonly ProductFieldName[] = ['name', 'description', 'price', 'unitCost', 'availability'];

/** The columns of the CSV file, in its order. */
export const productCsvColumns: readonly string[] = [
  'id',
  ...firstInCsv,
  'quantity',
  'quantityWas',
  'category',
  ...productFieldNames.filter((name) => !firstInCsv.includes(name)),
  'version',
  'archived',
];
