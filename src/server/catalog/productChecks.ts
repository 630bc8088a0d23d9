/** What the form of a product and the rows of its sizes have in common. */
import { catalogMessages } from '../../shared/catalog';
import { productMessages } from '../../shared/catalogStaff';
import type { Schema } from '../../shared/contract';
import { columnOf, productFieldNames, productFields, type ProductFieldName } from '../../shared/productFields';
import { factInWords } from '../../shared/productTexts';
import { refuseViolation } from '../db/core/errors';
import { conflict, type FieldError } from '../http/core/problems';
import type { ProductText, StoredFacts } from './productFacts';
import type { ProductFacts, ProductRow } from './repository';

/**
 * Whether the product's facts changed, or the product was deleted, since the form was opened. A new photo
 * doesn't count, because it is saved separately.
 */
export const isStale = ({ version }: Pick<Schema<'ProductForm'>, 'version'>, product: ProductRow): boolean =>
  version !== undefined &&
  (version < (product.archivedAt ? product.version : product.editedVersion) || version > product.version);

/** @throws Problem 409 sku_taken */
export const refuseTakenSku = <T>(write: Promise<T>): Promise<T> =>
  refuseViolation(write, 'products_sku', () => {
    const message = productMessages.skuTaken;
    return conflict('sku_taken', message, [{ field: 'sku', message }]);
  });

/** The product's fields for the audit log. */
export const audited = (facts: ProductFacts, quantity: number): Record<string, unknown> => ({
  categoryId: facts.categoryId,
  ...Object.fromEntries(productFieldNames.map((name) => [columnOf(name), facts[columnOf(name) as keyof StoredFacts]])),
  quantity,
});

type Texts = { [Name in keyof ProductText]?: string };

/**
 * The current value of each field that differs from the one in a form.
 * @param shown the values in words, where they differ from those of the form: the title of a category
 */
export function differencesOf(
  product: ProductRow,
  { is, asked }: { is: Texts; asked: Texts },
  shown: { is: Texts; asked: Texts } = { is, asked },
): FieldError[] {
  const errors = (Object.keys(asked) as (keyof Texts)[]).flatMap((field): FieldError[] => {
    const current = is[field] ?? '';
    if (current === asked[field]) return [];
    const [now, yours] = [inWords(field, shown.is[field] ?? ''), inWords(field, shown.asked[field] ?? '')];
    return [{ field, message: `Now ${now}, yours is ${yours}`, current }];
  });
  if (product.archivedAt) errors.push({ field: 'archived', message: catalogMessages.noLongerSold, current: 'true' });
  return errors;
}

function inWords(name: string, text: string): string {
  const field = name === 'category' ? undefined : productFields[name as ProductFieldName];
  if (field && (text === '' || field.kind === 'money' || field.kind === 'flag')) return factInWords(field, text);
  return `"${text}"`;
}
