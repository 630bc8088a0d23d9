/** The owner's current delivery methods, tax rates and discount codes, as far as an order needs them. */
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
  /** Orders that have used it (hasUsedCode), counted up to its limit, excluding the customer's own open order. */
  uses: number;
  /** The customer's own share of `uses`. */
  ownUses: number;
  /** Unpaid orders among `uses` whose customers never paid an order. */
  heldByNewcomers: number;
  /** Whether this customer has never paid an order. */
  isOfNewcomer: boolean;
};

export type Terms = {
  /** All active methods, in position order. */
  methods: Method[];
  /** For the requested state. */
  rate: Rate | undefined;
  /** Whether any state collects tax. */
  hasRates: boolean;
  /** The requested code, if it exists. */
  discount: Code | undefined;
};

export type TermsRequest = {
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

/** Matches orders that have used their code: not canceled ones, nor those paid too late and refunded in full. */
export const hasUsedCode = sql`status <> 'CANCELLED' and (status <> 'REFUNDED' or exists (
  select from order_timeline as step where step.order_id = orders.id and step.status = 'PAID'))`;
const used = new PgDialect().sqlToQuery(hasUsedCode).sql; // it has no parameters

/** Uses other than the open order of the customer ($1), which an order placed now replaces. */
const countedUses = `
  from orders where discount_id = discounts.id and ${used}
    and (user_id <> $1 or status <> 'PENDING_PAYMENT')`;

/** Unpaid orders of other customers who never paid: accounts are free, so they get a limited share (shared/discounts.ts). */
const heldByNewcomers = `
  from orders as held where discount_id = discounts.id and status = 'PENDING_PAYMENT' and user_id <> $1
    and not exists (select from orders as paid where paid.user_id = held.user_id and paid.paid_at is not null)`;

/** A prepared statement per connection: planning took most of a quote's time. $2 is the state, $3 the code. */
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

/** Reads everything in one statement. When placing an order, lock the code first (lockCode). */
export async function readTerms(connection: Connection, { userId, state, code }: TermsRequest): Promise<Terms> {
  const rows = await termsQuery(connection, [userId, state ?? null, code ?? null]);
  const [row] = rows;
  if (!row) throw new Error('expected one row from a query without a table');
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
 * Locks a code for the rest of the transaction, after the cart and its products, so that its uses are taken one at a time.
 * A later statement must count them: a statement that waited for the lock would count with its older snapshot.
 */
export async function lockCode(tx: Tx, code: string): Promise<void> {
  await tx.execute(sql`select 1 from discounts where code = ${code} for no key update`);
}
