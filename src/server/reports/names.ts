/** Names, order and pages of the rows of reports. */
import { sql, type SQL } from 'drizzle-orm';
import type { PageRequest } from '../http/contract/paging';
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

/** Days and months latest first; others by net, largest first, with rows without lines at the end. */
export const orderOf = (by: ReportBy | SummaryBy, net: SQL): SQL =>
  by === 'day' || by === 'month'
    ? sql`key desc`
    : sql`case key when 'delivery' then 1 when 'none' then 2 else 0 end, ${net} desc, name collate "C", key`;

/** @param page undefined: all */
export const limitTo = (page: PageRequest | undefined): SQL =>
  page ? sql`limit ${page.size} offset ${page.page * page.size}` : sql``;

/** Past the last page, the only row holds just the totals. */
export type NoRow = { total: number; named: number; key: null };
export const isRow = <Row extends { key: string | null }>(row: Row): row is Exclude<Row, { key: null }> =>
  row.key !== null;
