/**
 * The product fields that staff fill in, each defined once. Everything else derives from this table: the product form
 * and its messages, CSV columns, audit log labels, API responses and product pages. `openapi/catalog.yaml` and the
 * columns in `src/server/db/schema/catalog.ts` are written by hand; tests/shared/productFields.test.ts keeps them
 * consistent.
 * Rule: docs/rules/catalog.md, Products
 */
import type { Schema } from './contract';

type Common = {
  label: string;
  hint?: string;
  /** Every product has this field. Other fields may be omitted or empty. */
  isRequired?: true;
  /** Column name, and name in the audit log, where it differs from the field name. */
  column?: string;
  /** Visible to staff only. */
  isForStaff?: true;
  /** Two such fields share a row in the form. */
  isHalf?: true;
  /** How the product page shows it; without this the page has no row for the field. */
  fact?: {
    name: string;
    isCapitalized?: true;
    /** Shown when the field is empty; by default the row is omitted. */ none?: string;
  };
};
export type ProductField = Common &
  (
    | { kind: 'text'; maxLength: number; /** For text of several lines. */ rows?: number }
    /** Dollars in forms and API responses, integer cents in the database. */
    | { kind: 'money'; sentence: string; isAboveZero?: true }
    | { kind: 'flag'; words: readonly [yes: string, no: string]; sentence: string }
    /** A whole number, 0 or more. */
    | { kind: 'level'; most: number; sentence: string }
    /** Comma-separated texts. */
    | { kind: 'list'; maxLength: number }
  );

/** Fields of the contract's form that are not in this table: stock, category, picture, and the form's initial state. */
type OtherFormField = 'quantity' | 'category' | 'file' | 'quantityWas' | 'version';
export type ProductFieldName = Exclude<keyof Schema<'ProductForm'>, OtherFormField>;

const fields = {
  name: { kind: 'text', label: 'Name', isRequired: true, maxLength: 120 },
  description: { kind: 'text', label: 'Description', isRequired: true, maxLength: 5000, rows: 4 },
  price: {
    kind: 'money',
    label: 'Price',
    isRequired: true,
    column: 'priceCents',
    sentence: 'Enter a price, such as 4.50',
    isAboveZero: true, // the provider accepts no payment of $0.00, so such an order could never be paid
  },
  availability: {
    kind: 'flag',
    label: 'Availability',
    isRequired: true,
    words: ['Available', 'Not Available'],
    sentence: "Choose whether it's available",
  },
  unitSize: { kind: 'text', label: 'Size', maxLength: 40, isHalf: true, fact: { name: 'Size' } },
  origin: { kind: 'text', label: 'Origin', maxLength: 80, isHalf: true, fact: { name: 'Origin' } },
  heatLevel: {
    kind: 'level',
    label: 'Heat',
    most: 5,
    sentence: 'Choose a heat level from 0 to 5',
    isHalf: true,
    fact: { name: 'Heat' },
  },
  unitCost: {
    kind: 'money',
    label: 'Cost per unit',
    hint: 'Your cost per unit. Customers never see this.',
    column: 'unitCostCents',
    sentence: 'Enter a cost, such as 2.10',
    isForStaff: true,
    isHalf: true,
  },
  taxable: {
    kind: 'flag',
    label: 'Sales tax',
    words: ['Taxable', 'Not taxable'],
    sentence: "Choose whether it's taxable",
  },
  allergens: {
    kind: 'list',
    label: 'Allergens',
    hint: 'Separate with commas.',
    maxLength: 40,
    fact: { name: 'Allergens', isCapitalized: true, none: 'No listed allergens' },
  },
  otherNames: {
    kind: 'list',
    label: 'Also known as',
    hint: 'Separate with commas. Customers can search by these.',
    maxLength: 80,
    fact: { name: 'Also known as' },
  },
} as const satisfies Record<ProductFieldName, ProductField>;

export type FieldOf<Name extends ProductFieldName> = (typeof fields)[Name];
export const productFields: Readonly<Record<ProductFieldName, ProductField>> = fields;
export const productFieldNames = Object.keys(fields) as ProductFieldName[];

/** The field's column in the database, which is also its name in the audit log. */
export const columnOf = (name: ProductFieldName): string => productFields[name].column ?? name;

/** Maximum entries of a list. */
export const maxListItems = 20;

/** The first fields of the CSV file. The others follow in table order. */
const firstInCsv: readonly ProductFieldName[] = ['name', 'description', 'price', 'unitCost', 'availability'];

/** The columns of the CSV file, in order. */
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
