/** Words of the filters of a product list. Rule: docs/rules/catalog.md, Filters */
import { countryOf, formLabels, type FormName } from './catalog';

/** By heat level, 0 to 5. */
export const heatWords = ['No heat', 'Mild', 'Medium', 'Hot', 'Very hot', 'Extra hot'] as const;

export const filterMessages = {
  title: 'Filters',
  heat: 'Heat',
  allergens: 'Allergens',
  origin: 'Origin',
  form: 'Form',
  price: 'Price',
  onSale: 'On sale',
  availability: 'Availability',
  inStock: 'In stock only',
  without: (allergen: string) => `No ${allergen}`,
  clear: 'Clear all',
  show: (products: string) => `Show ${products}`,
  none: 'No products. Clear all',
  showAll: 'Show all products',
  remove: (filter: string) => `Remove ${filter}`,
} as const;

type Chosen = {
  heat?: readonly number[] | undefined;
  origin?: readonly string[] | undefined;
  form?: readonly FormName[] | undefined;
  allergens?: readonly string[] | undefined;
  onSale?: true | undefined;
  inStock?: true | undefined;
};

/** @returns each filter that is set, with its values in words: 'Heat: none, mild', 'Allergens: no peanuts' */
export function filtersInWords({
  heat,
  origin,
  form,
  allergens,
  onSale,
  inStock,
}: Chosen): { name: keyof Chosen; words: string }[] {
  const list = (label: string, values: Iterable<string>) => `${label}: ${[...values].join(', ')}`;
  const heats = heat?.map((level) => (level === 0 ? 'none' : (heatWords[level] ?? '').toLowerCase()));
  return [
    ...(heats ? [{ name: 'heat' as const, words: list(filterMessages.heat, heats) }] : []),
    ...(allergens
      ? [
          {
            name: 'allergens' as const,
            words: list(
              filterMessages.allergens,
              allergens.map((name) => `no ${name}`),
            ),
          },
        ]
      : []),
    ...(origin
      ? [{ name: 'origin' as const, words: list(filterMessages.origin, new Set(origin.map(countryOf))) }]
      : []),
    ...(form
      ? [
          {
            name: 'form' as const,
            words: list(
              filterMessages.form,
              form.map((each) => formLabels[each].toLowerCase()),
            ),
          },
        ]
      : []),
    ...(onSale ? [{ name: 'onSale' as const, words: filterMessages.onSale }] : []),
    ...(inStock ? [{ name: 'inStock' as const, words: filterMessages.inStock }] : []),
  ];
}
