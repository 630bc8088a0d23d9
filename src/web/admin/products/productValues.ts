import { categoryTitle } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { plainMoney } from '../../../shared/moneyInput';
import type { StaffProduct } from './queries';

/** What a product form holds: text throughout, as its fields do. */
export type ProductValues = Record<keyof typeof fieldLabels, string>;

export const fieldLabels = {
  name: 'Name',
  price: 'Price',
  quantity: 'Quantity',
  category: 'Category',
  availability: 'Availability',
  description: 'Description',
  unitSize: 'Unit size',
  origin: 'Origin',
  heatLevel: 'Heat',
  allergens: 'Allergens',
  otherNames: 'Other names',
  unitCost: 'Unit cost',
  taxable: 'Sales tax',
} as const satisfies Record<Exclude<keyof Schema<'ProductForm'>, 'file' | 'quantityWas' | 'version'>, string>;

export const emptyProduct: ProductValues = {
  name: '',
  price: '',
  quantity: '',
  category: '',
  availability: 'true',
  description: '',
  unitSize: '',
  origin: '',
  heatLevel: '',
  allergens: '',
  otherNames: '',
  unitCost: '',
  taxable: 'true',
};

export const valuesOf = (product: StaffProduct): ProductValues => ({
  name: product.name,
  price: product.price.toFixed(2),
  quantity: String(product.quantity),
  category: product.productCategory.name,
  availability: String(product.availabilityFlag),
  description: product.description,
  unitSize: product.unitSize ?? '',
  origin: product.origin ?? '',
  heatLevel: product.heatLevel === null ? '' : String(product.heatLevel),
  allergens: product.allergens.join(', '),
  otherNames: product.otherNames.join(', '),
  unitCost: product.unitCost === null ? '' : product.unitCost.toFixed(2),
  taxable: String(product.taxable),
});

/** A value in words: what the form's own fields would show. @param categories that can be chosen */
export function inWords(
  field: keyof ProductValues,
  value: string,
  categories: readonly Pick<Schema<'Category'>, 'name' | 'title'>[],
): string {
  if (field === 'availability') return value === 'true' ? 'Available' : 'Not Available';
  if (field === 'taxable') return value === 'true' ? 'Taxable' : 'Not taxable';
  if (value === '') return 'empty';
  if (field === 'category') return categoryTitle(categories.find(({ name }) => name === value) ?? { name: value });
  return field === 'price' || field === 'unitCost' ? `$${plainMoney(value)}` : value;
}
