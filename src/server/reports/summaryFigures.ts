/** Sums of daily money. All in whole cents. Rule: docs/rules/selling.md, Sales summary */
import { sql, type SQL } from 'drizzle-orm';
import type { SummaryBy } from '../../shared/reports';
import { sumCents } from '../../shared/total';
import type { Connection } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { moneyOf, type ZonedDays } from './dailyMoney';
import { isRow, limitTo, type NoRow, orderOf, type StoredSize, toSize, type Unnamed } from './names';

/** `costCents` is null if there are only units without a cost. */
export type Sums = {
  units: number;
  grossCents: number;
  discountCents: number;
  returnedCents: number;
  netCents: number;
  deliveryCents: number;
  taxCents: number;
  totalCents: number;
  costCents: number | null;
  restockedCostCents: number;
  unitsWithoutCost: number;
};
export type SummaryRow = Sums & Unnamed;

type StoredSums = Record<
  'units' | 'gross' | 'discounts' | 'returned' | 'delivery' | 'tax' | 'cost' | 'restocked_cost' | 'without_cost',
  string
>;
const sums = sql`sum(units) as units, sum(goods_cents) as gross, sum(discount_cents) as discounts,
  sum(returned_cents) as returned, sum(delivery_cents) - sum(returned_delivery_cents) as delivery,
  sum(tax_cents) - sum(returned_tax_cents) as tax, sum(cost_cents) as cost,
  sum(restocked_cost_cents) as restocked_cost, sum(units_without_cost) as without_cost`;

function toSums(row: StoredSums | undefined): Sums {
  const of = (name: keyof StoredSums) => Number(row?.[name] ?? 0);
  const netCents = sumCents([of('gross'), -of('discounts'), -of('returned')]);
  const isUnknown = of('cost') === 0 && of('restocked_cost') === 0 && of('without_cost') > 0;
  return {
    units: of('units'),
    grossCents: of('gross'),
    discountCents: of('discounts'),
    returnedCents: of('returned'),
    netCents,
    deliveryCents: of('delivery'),
    taxCents: of('tax'),
    totalCents: sumCents([netCents, of('delivery'), of('tax')]),
    costCents: isUnknown ? null : of('cost') - of('restocked_cost'),
    restockedCostCents: of('restocked_cost'),
    unitsWithoutCost: of('without_cost'),
  };
}

export async function findSums(connection: Connection, days: ZonedDays): Promise<Sums> {
  const { rows } = await connection.execute<StoredSums>(sql`select ${sums} from ${moneyOf(days)} where part = 'state'`);
  return toSums(rows[0]);
}

/**
 * Rows that have figures, in order.
 * @param page undefined: all
 */
export async function findSummaryRows(
  connection: Connection,
  by: SummaryBy,
  days: ZonedDays,
  page?: PageRequest,
): Promise<{ rows: SummaryRow[]; totalRows: number }> {
  const { part, key, name, size = sql``, from } = parts[by];
  const order = orderOf(by, sql`gross - discounts - returned`);
  const { rows } = await connection.execute<FoundRow | NoRow>(sql`
    with sums as materialized (
      select ${key} as key, ${sums} from ${moneyOf(days)} where part = ${part} group by 1),
    rows as (
      select * from sums
      where (units, gross, discounts, returned, delivery, tax, cost, restocked_cost, without_cost)
        <> (0, 0, 0, 0, 0, 0, 0, 0, 0)),
    named as (select rows.*, ${name} as name${size} from rows ${from})
    select total, page.* from (select count(*)::int as total from rows) as counted
    left join (
      select * from named order by ${order} ${limitTo(page)}
    ) as page on true
    order by ${order}`);
  const found = rows.filter(isRow);
  return {
    rows: found.map((row) => ({ key: row.key, name: row.name, size: toSize(row), ...toSums(row) })),
    totalRows: rows[0]?.total ?? 0,
  };
}

type FoundRow = StoredSums & StoredSize & { total: number; key: string; name: string | null };
type Part = { part: string; key: SQL; name: SQL; size?: SQL; from: SQL };
const ofKey = (part: string, name: SQL = sql`null::text`, from: SQL = sql``): Part => ({
  part,
  key: sql`key`,
  name,
  from,
});
const ofDay = (key: SQL): Part => ({ part: 'state', key, name: sql`null::text`, from: sql`` });
const parts: Record<SummaryBy, Part> = {
  product: {
    ...ofKey('product', sql`products.name`, sql`left join products on products.id::text = rows.key`),
    size: sql`, unit_size, net_grams, net_millilitres`,
  },
  category: ofKey(
    'category',
    sql`coalesce(title, categories.name)`,
    sql`left join categories on categories.id::text = rows.key`,
  ),
  state: ofKey('state'),
  code: ofKey('code', sql`discounts.code`, sql`left join discounts on discounts.id::text = rows.key`),
  day: ofDay(sql`to_char(day, 'YYYY-MM-DD')`),
  month: ofDay(sql`to_char(day, 'YYYY-MM')`),
};
