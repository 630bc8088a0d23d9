import { csvOf } from './csvOf';
import { productCsvColumns, type ProductFieldName } from './productFields';

type Row = Partial<Record<ProductFieldName | 'quantity' | 'category' | 'sizeGroup', string>>;

/** Two products, one of them in two sizes, as a file that can be imported as it is. */
const rub = {
  name: 'Sample grill rub',
  description: 'Smoky and warm, for chicken and vegetables.',
  availability: 'yes',
  category: 'savory',
  origin: 'The Gambia',
  heatLevel: '2',
  allergens: 'mustard, sesame',
  sizeGroup: 'sample-rub',
};
const rows: readonly Row[] = [
  { ...rub, price: '7.95', quantity: '40', unitSize: '110 g', netGrams: '110', sku: 'SAMPLE-110' },
  { ...rub, price: '19.50', quantity: '12', unitSize: '400 g', netGrams: '400', sku: 'SAMPLE-400' },
  {
    name: 'Sample cumin seeds',
    description: 'Whole seeds. Toast them before use.',
    price: '4.50',
    availability: 'yes',
    quantity: '25',
    category: 'spices',
    unitSize: '60 g',
    netGrams: '60',
    sku: 'SAMPLE-CUMIN',
    heatLevel: '0',
  },
];

const filled = new Set(rows.flatMap((row) => Object.keys(row)));
const columns = [...productCsvColumns.filter((name) => filled.has(name)), 'photos'];

function recordOf(row: Row): string[] {
  const cells = new Map(Object.entries(row));
  return columns.map((column) => cells.get(column) ?? '');
}

/** @returns the sample file as CSV */
export const sampleProducts = (): string => csvOf([columns, ...rows.map(recordOf)]);
