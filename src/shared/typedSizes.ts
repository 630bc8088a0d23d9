/** A size as staff type it in the product form. Rule: docs/rules/catalog.md, Sizes in the product form */
import { parseAmount } from './amounts';
import { sizeOf } from './sizes';
import { netSize, type Units } from './unitPrice';

/** Texts. At most one of the two amounts is filled. */
export type TypedSize = Record<'unitSize' | 'netGrams' | 'netMillilitres', string>;

/** @param text a weight or a volume, such as '8 oz', or any other size, such as 'Box of 6' */
export function typedSize(text: string, units: Units): TypedSize {
  const none = { unitSize: text, netGrams: '', netMillilitres: '' };
  const netGrams = parseAmount(text, 'g');
  if (netGrams !== undefined) return { ...none, netGrams: `${netGrams}`, unitSize: netSize({ netGrams }, units) ?? '' };
  const netMillilitres = parseAmount(text, 'ml');
  if (netMillilitres === undefined) return none;
  return { ...none, netMillilitres: `${netMillilitres}`, unitSize: netSize({ netMillilitres }, units) ?? '' };
}

/** @returns '8 oz (227 g)'; its `unitSize` without a net amount, and empty without either */
export function typedSizeInWords({ unitSize, ...typed }: TypedSize, units: Units): string {
  const netGrams = parseAmount(typed.netGrams, 'g');
  const netMillilitres = parseAmount(typed.netMillilitres, 'ml');
  return sizeOf({ unitSize, netGrams, netMillilitres }, units) ?? '';
}
