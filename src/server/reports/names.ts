/** Names of the rows of reports, and the order of the revenue's. */
import { reportMessages as messages, type ReportBy, type SummaryBy } from '../../shared/reports';
import { nameWithSize, type Sized } from '../../shared/sizes';
import type { Units } from '../../shared/unitPrice';
import { stateName } from '../../shared/usStates';

/** `name` is null if the key's category, product or code is gone, or the key has no name of its own. */
export type Unnamed = { key: string; name: string | null; size: Sized };

/** What tells a product's size, as the database has it; undefined in the rows of other reports. */
export type StoredSize = {
  unit_size?: string | null;
  net_grams?: number | null;
  net_millilitres?: number | null;
};
export const toSize = (row: StoredSize): Sized => ({
  unitSize: row.unit_size,
  netGrams: row.net_grams,
  netMillilitres: row.net_millilitres,
});

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Products are named with their size: 'Afra Grill Rub, 3.9 oz (110 g)'. */
export function nameOf(by: ReportBy | SummaryBy, { key, name, size }: Unnamed, units: Units): string {
  if (by === 'month') return monthName.format(new Date(`${key}-01`));
  if (by === 'day') return dayName.format(new Date(key));
  if (by === 'state') return stateName(key);
  if (key === 'delivery') return messages.delivery;
  if (key === 'none') return messages.noLine[by];
  return name === null ? messages.deletedCategory : nameWithSize({ productName: name, ...size }, units);
}

type Named = { key: string; name: string; netCents: number };

/** Months: latest first. Others: largest first, with rows without lines at the end. */
export const orderOf = (by: ReportBy) => (left: Named, right: Named) =>
  by === 'month'
    ? compare(right.key, left.key)
    : placeOf(left) - placeOf(right) ||
      right.netCents - left.netCents ||
      compare(left.name, right.name) ||
      compare(left.key, right.key);

const placeOf = ({ key }: Named) => (key === 'delivery' ? 1 : key === 'none' ? 2 : 0);

const compare = (left: string, right: string) => (left === right ? 0 : left < right ? -1 : 1);
