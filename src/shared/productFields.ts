/**
 * The product fields that staff fill in, each defined once. Everything else derives from this table: the product form
 * and its messages, CSV columns, audit log labels, API responses and product pages. `openapi/catalog.yaml` and the
 * columns in `src/server/db/schema/catalog.ts` are written by hand; tests/shared/productFields.test.ts keeps them
 * consistent.
 * Rule: docs/rules/catalog.md, Products
 */
import { type AmountUnit, largestAmount } from './amounts';
import { isBarcode } from './barcodes';
import { formLabels } from './catalog';
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
  /** Responses always have this field. The others are left out when they are empty. */
  isAlwaysSent?: true;
  /** The part of the form that has it. Required fields come first, in a part of their own. */
  part?: ProductPart;
  /** Two such fields share a row in the form. */
  isHalf?: true;
  /** Each size of a product has its own. The other fields of a new size are taken over from the product. */
  isOfSize?: true;
  /** How the product page shows it; without this the page has no row for the field. */
  fact?: {
    name: string;
    isCapitalized?: true;
    /** Shown when the field is empty; by default the row is omitted. */ none?: string;
  };
};
export type ProductField = Common &
  (
    | {
        kind: 'text';
        maxLength: number;
        /** For text of several lines. */
        rows?: number;
        /** Whether a text that isn't empty is right, and the message if it isn't. */
        check?: { accepts: (text: string) => boolean; sentence: string };
      }
    /** Dollars in forms and API responses, integer cents in the database. */
    | { kind: 'money'; sentence: string; isAboveZero?: true }
    | { kind: 'flag'; words: readonly [yes: string, no: string]; sentence: string }
    /** A whole number, 0 or more. */
    | { kind: 'level'; most: number; sentence: string }
    /** A whole number of grams or milliliters, 1 or more. Forms also take other units (amounts.ts). */
    | { kind: 'amount'; unit: AmountUnit; most: number; sentence: string }
    | { kind: 'choice'; choices: Readonly<Record<string, string>>; sentence: string }
    /** A month, as in '2028-05'. */
    | { kind: 'month'; sentence: string }
    /** Comma-separated texts. */
    | { kind: 'list'; maxLength: number }
  );

/** The parts of the form below the required fields, in order. */
export const productParts = {
  details: 'More details',
  selling: 'Size and price',
  organization: 'Organization',
  listing: 'Search listing',
} as const;
export type ProductPart = keyof typeof productParts;

/** Fields of the contract's form that are not in this table: stock, category, picture, sizes, and the form's initial state. */
type OtherFormField =
  | 'quantity'
  | 'category'
  | 'file'
  | 'quantityWas'
  | 'version'
  | 'stockReason'
  | 'sizes'
  | 'removedSizes';
export type ProductFieldName = Exclude<keyof Schema<'ProductForm'>, OtherFormField>;

export const priceSentence = 'Enter a price, such as 4.50';

const fields = {
  name: { kind: 'text', label: 'Name', isRequired: true, maxLength: 120 },
  description: { kind: 'text', label: 'Description', isRequired: true, maxLength: 5000, rows: 4 },
  price: {
    kind: 'money',
    label: 'Price',
    isRequired: true,
    column: 'priceCents',
    sentence: priceSentence,
    isAboveZero: true, // the provider accepts no payment of $0.00, so such an order could never be paid
    isOfSize: true,
  },
  availability: {
    kind: 'flag',
    label: 'Availability',
    isRequired: true,
    words: ['Available', 'Not Available'],
    sentence: "Choose whether it's available",
  },
  unitSize: {
    kind: 'text',
    label: 'Size',
    maxLength: 40,
    isAlwaysSent: true,
    isHalf: true,
    isOfSize: true,
    fact: { name: 'Size' },
  },
  form: {
    kind: 'choice',
    label: 'Form',
    choices: formLabels,
    sentence: 'Choose a form',
    isHalf: true,
    fact: { name: 'Form' },
  },
  origin: { kind: 'text', label: 'Origin', maxLength: 80, isAlwaysSent: true, isHalf: true, fact: { name: 'Origin' } },
  heatLevel: {
    kind: 'level',
    label: 'Heat',
    most: 5,
    sentence: 'Choose a heat level from 0 to 5',
    isAlwaysSent: true,
    isHalf: true,
    fact: { name: 'Heat' },
  },
  allergens: {
    kind: 'list',
    label: 'Allergens',
    hint: 'Separate with commas.',
    maxLength: 40,
    isAlwaysSent: true,
    fact: { name: 'Allergens', isCapitalized: true, none: 'No listed allergens' },
  },
  otherNames: {
    kind: 'list',
    label: 'Also known as',
    hint: 'Separate with commas. Customers can search by these.',
    maxLength: 80,
    isAlwaysSent: true,
    fact: { name: 'Also known as' },
  },
  ingredients: { kind: 'text', label: 'Ingredients', maxLength: 1000, rows: 3, fact: { name: 'Ingredients' } },
  bestBefore: {
    kind: 'month',
    label: 'Best by',
    hint: 'The month on your present lot.',
    sentence: 'Enter a month, such as 2028-05',
    fact: { name: 'Best by' },
    isOfSize: true,
  },
  netGrams: {
    kind: 'amount',
    label: 'Net weight',
    hint: 'In grams, or with a unit, such as 3.9 oz or 1 lb.',
    part: 'selling',
    unit: 'g',
    most: largestAmount,
    sentence: 'Enter a weight up to 100,000 g, such as 110 or 3.9 oz',
    isHalf: true,
    isOfSize: true,
  },
  netMillilitres: {
    kind: 'amount',
    label: 'Net volume',
    hint: 'Instead of the weight, in milliliters or such as 8 fl oz.',
    part: 'selling',
    unit: 'ml',
    most: largestAmount,
    sentence: 'Enter a volume up to 100,000 ml, such as 250 or 8 fl oz',
    isHalf: true,
    isOfSize: true,
  },
  compareAtPrice: {
    kind: 'money',
    label: 'Compare-at price',
    hint: 'The former price of a sale. The shop shows it struck through.',
    part: 'selling',
    column: 'compareAtCents',
    sentence: 'Enter a former price, such as 9.50',
    isHalf: true,
    isOfSize: true,
  },
  unitCost: {
    kind: 'money',
    label: 'Cost per unit',
    hint: 'Your cost per unit. Customers never see this.',
    part: 'selling',
    column: 'unitCostCents',
    sentence: 'Enter a cost, such as 2.10',
    isForStaff: true,
    isAlwaysSent: true,
    isHalf: true,
    isOfSize: true,
  },
  taxable: {
    kind: 'flag',
    label: 'Sales tax',
    part: 'selling',
    words: ['Taxable', 'Not taxable'],
    sentence: "Choose whether it's taxable",
    isAlwaysSent: true,
    isHalf: true,
  },
  shippingGrams: {
    kind: 'amount',
    label: 'Shipping weight',
    hint: 'The weight when packed, in grams or such as 6 oz.',
    part: 'selling',
    unit: 'g',
    most: largestAmount,
    sentence: 'Enter a shipping weight up to 100,000 g, such as 160 or 6 oz',
    isForStaff: true,
    isHalf: true,
    isOfSize: true,
  },
  sku: {
    kind: 'text',
    label: 'SKU',
    part: 'organization',
    maxLength: 40,
    check: {
      accepts: (text) => /^[ -~]+$/.test(text),
      sentence: 'Use only letters, digits, and signs of a US keyboard',
    },
    isHalf: true,
    isOfSize: true,
  },
  barcode: {
    kind: 'text',
    label: 'Barcode',
    part: 'organization',
    maxLength: 14,
    check: { accepts: isBarcode, sentence: "Check the barcode's digits: it's a UPC, EAN, or GTIN of 8, 12, 13, or 14" },
    isHalf: true,
    isOfSize: true,
  },
  supplier: { kind: 'text', label: 'Supplier', part: 'organization', maxLength: 80, isForStaff: true, isHalf: true },
  shelf: { kind: 'text', label: 'Shelf', part: 'organization', maxLength: 20, isForStaff: true, isHalf: true },
  tags: {
    kind: 'list',
    label: 'Tags',
    hint: 'Separate with commas. Only staff see them.',
    part: 'organization',
    maxLength: 30,
    isForStaff: true,
  },
  pageTitle: {
    kind: 'text',
    label: 'Page title',
    hint: 'In search results and browser tabs. Blank: the name.',
    part: 'listing',
    maxLength: 60,
    isOfSize: true,
  },
  slug: {
    kind: 'text',
    label: 'Address',
    hint: 'The end of the link, /p/… Links to the old address keep working. Blank: made from the name.',
    part: 'listing',
    maxLength: 80,
    check: {
      accepts: (text) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text),
      sentence: 'Use lowercase letters and numbers, with single hyphens between them',
    },
    isOfSize: true,
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
  'sizeGroup',
  'version',
  'archived',
];
