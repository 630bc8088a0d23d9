/** A product's facts as the texts that its form and its row in a CSV file have. */
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import type { ProductFacts } from './repository';

/** Every field of the form but the number of units, the picture and what is sent to detect another person's change. */
export type ProductText = Record<
  Exclude<keyof Schema<'ProductForm'>, 'quantity' | 'quantityWas' | 'version' | 'file'>,
  string
>;

/** @param category its name */
export const asForm = (facts: Omit<ProductFacts, 'categoryId'>, category: string): ProductText => ({
  name: facts.name,
  description: withLineFeeds(facts.description),
  price: dollars(facts.priceCents),
  unitCost: dollars(facts.unitCostCents),
  availability: String(facts.availability),
  category,
  unitSize: facts.unitSize ?? '',
  origin: facts.origin ?? '',
  heatLevel: String(facts.heatLevel ?? ''),
  allergens: facts.allergens.join(', '),
  otherNames: facts.otherNames.join(', '),
  taxable: String(facts.taxable),
});

/** A text as it is stored and compared. Browsers send CR LF, and older descriptions have it. */
export const withLineFeeds = (text: string) => text.replaceAll(/\r\n?/g, '\n');

const dollars = (cents: number | null) => (cents === null ? '' : fromCents(cents).toFixed(2));
