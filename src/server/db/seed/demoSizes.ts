import { netSize, shortSize } from '../../../shared/unitPrice';
import type catalog from './catalog.json';

/** A product of the demo catalog. */
export type DemoProduct = (typeof catalog.products)[number] & {
  /** In a group of sizes: the slug of its first product, which also has the picture. */
  sizeOf?: string;
  sku?: string;
};

/** The first letters of the SKUs, and for each further size the grams, the price in dollars, and the units in stock. */
type Sizes = readonly [code: string, ...(readonly [grams: number, price: string, quantity: number])[]];

const [twoOunces, eightOunces, onePound, twoPounds] = [57, 227, 454, 907];

/** The more a size weighs, the less an ounce costs. */
const sizes: Readonly<Record<string, Sizes>> = {
  'domoda-peanut-base': ['DPB', [onePound, '15.50', 26], [twoPounds, '27.95', 12]],
  'benachin-seasoning': ['BEN', [eightOunces, '13.95', 30], [onePound, '24.95', 14]],
  'afra-grill-rub': ['AGR', [eightOunces, '14.25', 18], [onePound, '25.50', 0]],
  'tamarind-dakhar-powder': ['TAM', [eightOunces, '10.25', 22], [onePound, '18.50', 9]],
  'vegetable-bouillon-powder': ['VEG', [onePound, '13.95', 40], [twoPounds, '24.50', 16]],
  'ginger-garlic-seasoning': ['GGS', [eightOunces, '12.25', 28], [onePound, '21.95', 8]],
  'cayenne-pepper': ['CAY', [twoOunces, '3.75', 60], [eightOunces, '11.95', 34]],
  'black-peppercorns': ['BLK', [twoOunces, '4.50', 75], [eightOunces, '13.75', 45], [onePound, '24.95', 20]],
  'ground-ginger': ['GIN', [eightOunces, '11.25', 32], [onePound, '19.95', 15]],
  'turmeric-powder': ['TUR', [twoOunces, '3.25', 66], [eightOunces, '9.75', 38]],
  'cumin-seeds': ['CUM', [eightOunces, '10.25', 36], [onePound, '18.50', 18]],
  'hibiscus-wonjo': ['HIB', [eightOunces, '9.95', 27], [onePound, '17.95', 5]],
};

/** The products with their further sizes, each after the product that it's another size of. */
export const withDemoSizes = (products: readonly DemoProduct[]): DemoProduct[] => products.flatMap(withSizes);

function withSizes(product: DemoProduct): DemoProduct[] {
  const [code, ...further] = sizes[product.slug] ?? [];
  if (code === undefined) return [product];
  const first = { ...product, sizeOf: product.slug, sku: `${code}-${product.netGrams}` };
  const others = further.map(([netGrams, price, quantity]): DemoProduct => {
    const unitSize = netSize({ netGrams }, 'us') ?? '';
    const slug = `${product.slug}-${shortSize(unitSize)?.replace(' ', '-')}`;
    const availability = quantity > 0;
    return { ...first, slug, unitSize, netGrams, price, quantity, availability, sku: `${code}-${netGrams}` };
  });
  return [first, ...others];
}
