import { fieldLabels, type ProductValues, valuesOf } from './productValues';
import type { StaffProduct } from './queries';

/** A field that the shop has otherwise by now than this form. */
export interface Difference {
  field: keyof ProductValues;
  yours: string;
  now: string;
  /** It was changed here; otherwise what the shop has now goes on by itself. */
  isYoursToo: boolean;
}

/**
 * @param product as it is now
 * @param opened what the form showed at first
 * @param yours what it holds now
 * @returns all facts that differ; the quantity is none, since only its difference is booked
 */
export function differencesOf(product: StaffProduct, opened: ProductValues, yours: ProductValues): Difference[] {
  const now = valuesOf(product);
  return (Object.keys(fieldLabels) as (keyof ProductValues)[])
    .filter((field) => field !== 'quantity' && plain(field, now[field]) !== plain(field, yours[field]))
    .map((field) => ({
      field,
      yours: yours[field],
      now: now[field],
      isYoursToo: plain(field, yours[field]) !== plain(field, opened[field]),
    }));
}

/** One spelling of what means the same: '9.5' and '9.50', 'a,b' and 'a, b'. */
function plain(field: keyof ProductValues, value: string): string {
  if (field === 'price' || field === 'unitCost') return value === '' ? '' : Number(value).toFixed(2);
  if (field !== 'allergens' && field !== 'otherNames') return value.trim();
  return value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
    .join();
}
