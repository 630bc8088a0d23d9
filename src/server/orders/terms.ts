/** What may come to the goods of an order: the owner's methods, rates and codes, as they are now. */
import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { DiscountConditions } from '../../shared/discounts';
import type { DeliveryTerms, DiscountKind, TaxTerms } from '../../shared/total';
import { statement, type Connection, type Tx } from '../db/core/transact';

export type Method = DeliveryTerms & { id: string; name: string; description: string; states: string[] | null };
export type Rate = TaxTerms & { state: string };
export type Code = DiscountConditions & {
  id: string;
  code: string;
  kind: DiscountKind;
  percent: number | null;
  amountCents: number | null;
  /** Orders that have used it (hasUsedCode), counted up to its limit, without the customer's own open one. */
  uses: number;
  /** Those of them that are the customer's. */
  ownUses: number;
  /** Those of `uses` that are unpaid orders of customers who never paid one. */
  heldByNewcomers: number;
  /** Whether this customer never paid an order. */
  isOfNewcomer: boolean;
};

export type Terms = {
  /** All that are offered, in their order. */
  methods: Method[];
  /** Of the state that was asked about. */
  rate: Rate | undefined;
  /** Whether any state collects tax. */
  hasRates: boolean;
  /** The code that was asked about, if there is one. */
  discount: Code | undefined;
};

export type Asked = {
  userId: string;
  /** Two letters; undefined: not known yet. */
  state: string | undefined;
  /** In capitals. */
  code: string | undefined;
};

type Row = {
  methods: Method[];
  rate: Rate | null;
  hasRates: boolean;
  discount: (Omit<Code, 'startsAt' | 'endsAt'> & { startsAt: string | null; endsAt: string | null }) | null;
};

/** An order that has used its code: not one that ended, nor one that was paid after its end and given back. */
export const hasUsedCode = sql`status <> 'CANCELLED' and (status <> 'REFUNDED' or exists (
  select from order_timeline as step where step.order_id = orders.id and step.status = 'PAID'))`;
const used = new PgDialect().sqlToQuery(hasUsedCode).sql; // it has no values

/** Uses other than the open order of the customer ($1), which an order that is placed now replaces. */
const countedUses = `
  from orders where discount_id = discounts.id and ${used}
    and (user_id <> $1 or status <> 'PENDING_PAYMENT')`;

/** Unpaid orders of others who never paid one: accounts are free, so they are held to a share (shared/discounts.ts). */
const heldByNewcomers = `
  from orders as held where discount_id = discounts.id and status = 'PENDING_PAYMENT' and user_id <> $1
    and not exists (select from orders as paid where paid.user_id = held.user_id and paid.paid_at is not null)`;

/** In SQL and kept by each connection: to plan it anew took most of a quote. $2 is the state, $3 the code. */
const termsQuery = statement<Row>(
  'read_terms',
  `select
    (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'description', description,
        'priceCents', price_cents, 'freeFromCents', free_from_cents, 'states', states) order by position, id), '[]')
      from delivery_methods where is_active and archived_at is null) as methods,
    (select json_build_object('state', state, 'ratePpm', rate_ppm, 'taxesDelivery', taxes_delivery)
      from tax_rates where state = $2) as rate,
    exists (select from tax_rates) as "hasRates",
    (select json_build_object('id', id, 'code', code, 'kind', kind, 'percent', percent, 'amountCents', amount_cents,
        'isActive', is_active, 'minimumCents', minimum_cents, 'startsAt', starts_at, 'endsAt', ends_at,
        'maxUses', max_uses, 'maxUsesPerCustomer', max_uses_per_customer, 'categoryIds', category_ids,
        'uses', (select count(*) from (select 1 ${countedUses} limit max_uses) as used
          where max_uses is not null),
        'heldByNewcomers', (select count(*) from (select 1 ${heldByNewcomers} limit max_uses) as held
          where max_uses is not null),
        'isOfNewcomer', not exists (select from orders where user_id = $1 and paid_at is not null),
        'ownUses', (select count(*) from (select 1 ${countedUses} and user_id = $1
          limit max_uses_per_customer) as used where max_uses_per_customer is not null))
      from discounts where code = $3) as discount`,
);

/** One statement for all of it. A code that is taken while an order is placed must be locked before (lockCode). */
export async function readTerms(connection: Connection, { userId, state, code }: Asked): Promise<Terms> {
  const rows = await termsQuery(connection, [userId, state ?? null, code ?? null]);
  const [row] = rows;
  if (!row) throw new Error('a query without a table has one row');
  const { methods, rate, hasRates, discount } = row;
  const time = (text: string | null) => (text === null ? null : new Date(text));
  return {
    methods,
    rate: rate ?? undefined,
    hasRates,
    discount: discount ? { ...discount, startsAt: time(discount.startsAt), endsAt: time(discount.endsAt) } : undefined,
  };
}

/**
 * Locks a code for the rest of the transaction, after the cart and its products, so that its uses are taken one after the
 * other. They are counted by a later statement: one that waited for the lock would still count as of before.
 */
export async function lockCode(tx: Tx, code: string): Promise<void> {
  await tx.execute(sql`select 1 from discounts where code = ${code} for no key update`);
}
