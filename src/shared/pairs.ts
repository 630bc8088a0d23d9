/** Which products a product's page offers under 'Goes well with'. Rule: docs/rules/catalog.md, Goes well with */
import type { Schema } from './contract';
import { sizeFacts } from './sizes';

export const goesWellWithTitle = 'Goes well with';

/** As many are shown. */
const most = 4;

/** A product that may be shown. `sizeGroup` is empty for a product without other sizes. */
export type Candidate = Pick<Schema<'Product'>, 'id' | 'price' | 'availability'> & {
  sizeGroup?: string | null | undefined;
};

/**
 * At most four, of different groups of sizes and never of the product's own. Of a group it's the cheapest size in stock.
 * Sold-out ones come last.
 * @param candidates the best first
 */
export function chooseGoesWellWith<Offered extends Candidate>(
  product: Pick<Candidate, 'id' | 'sizeGroup'>,
  candidates: readonly Offered[],
): Offered[] {
  const ofGroup = new Map<string, Offered>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    const known = ofGroup.get(key);
    if (key !== keyOf(product) && (!known || isBetter(candidate, known))) ofGroup.set(key, candidate);
  }
  const offered = [...ofGroup.values()];
  const inStock = offered.filter(({ availability }) => availability);
  return [...inStock, ...offered.filter(({ availability }) => !availability)].slice(0, most);
}

const keyOf = ({ id, sizeGroup }: Pick<Candidate, 'id' | 'sizeGroup'>) => sizeGroup ?? id;

const isBetter = (one: Candidate, other: Candidate) =>
  one.availability === other.availability ? one.price < other.price : one.availability;

/** @returns what its card shows */
export const asCardProduct = (product: Schema<'CardProduct'>): Schema<'CardProduct'> => {
  const { id, name, price, compareAtPrice, availability, quantity, imageUrl, picture, unitSize } = product;
  return {
    id,
    name,
    price,
    ...(compareAtPrice !== undefined && { compareAtPrice }),
    availability,
    quantity,
    imageUrl,
    picture,
    ...sizeFacts(product),
    unitSize,
  };
};
