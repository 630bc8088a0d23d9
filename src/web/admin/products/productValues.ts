import { categoryTitle } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { productFieldNames, productFields, type ProductFieldName } from '../../../shared/productFields';
import { factInWords, plainText } from '../../../shared/productTexts';
import type { StaffProduct } from './queries';

type FieldName = ProductFieldName | 'quantity' | 'category';
/** The values of a product form: all strings, like its fields. */
export type ProductValues = Record<FieldName, string>;

const ofFacts = <Value>(valueOf: (name: ProductFieldName) => Value) =>
  Object.fromEntries(productFieldNames.map((name) => [name, valueOf(name)])) as Record<ProductFieldName, Value>;

export const fieldLabels: Readonly<Record<FieldName, string>> = {
  ...ofFacts((name) => productFields[name].label),
  quantity: 'Quantity',
  category: 'Category',
};

export const emptyProduct: ProductValues = {
  ...ofFacts((name) => (productFields[name].kind === 'flag' ? 'true' : '')),
  quantity: '',
  category: '',
};

export const valuesOf = (product: StaffProduct): ProductValues => ({
  ...ofFacts((name) => textOf(product, name)),
  availability: String(product.availabilityFlag),
  quantity: String(product.quantity),
  category: product.productCategory.name,
});

function textOf(product: StaffProduct, name: ProductFieldName): string {
  const value = product[name] ?? '';
  return typeof value === 'number' && productFields[name].kind === 'money'
    ? value.toFixed(2)
    : [value].flat().join(', ');
}

/** A value as the form's fields would show it. @param categories the categories that can be chosen */
export function inWords(
  name: FieldName,
  value: string,
  categories: readonly Pick<Schema<'Category'>, 'name' | 'title'>[],
): string {
  if (name === 'quantity') return value;
  if (name !== 'category') return factInWords(productFields[name], value);
  return value === ''
    ? 'blank'
    : categoryTitle(categories.find((category) => category.name === value) ?? { name: value });
}

/** @returns the amounts in the format of a saved form: '1250.00' for '$1,250', '111' for '3.9 oz' */
export const amountsOf = (values: ProductValues): Partial<ProductValues> =>
  Object.fromEntries(
    productFieldNames
      .filter((name) => ['money', 'amount'].includes(productFields[name].kind))
      .map((name) => [name, plainText(productFields[name], values[name])]),
  );
