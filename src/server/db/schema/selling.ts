/** Delivery methods, sales tax rates and discount codes. */
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { DiscountKind } from '../../../shared/total';
import { at } from './columns';

/** Archived, never deleted: orders refer to them. */
export const deliveryMethods = pgTable(
  'delivery_methods',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    priceCents: integer('price_cents').notNull(),
    /** Free from this sum of goods after the discount; null: never free. */
    freeFromCents: integer('free_from_cents'),
    /** Two-letter state codes; null: all states. */
    states: text('states').array(),
    /** The order of the methods at the checkout. */
    position: integer('position').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: at('created_at').notNull(),
    archivedAt: at('archived_at'),
  },
  (table) => [
    uniqueIndex('delivery_methods_name')
      .on(sql`lower(${table.name})`)
      .where(sql`archived_at is null`),
    index('delivery_methods_position').on(table.position, table.id),
    check('delivery_methods_price', sql`${table.priceCents} >= 0 and ${table.freeFromCents} > 0`),
  ],
);

/** A state without a row collects no tax. */
export const taxRates = pgTable(
  'tax_rates',
  {
    state: text('state').primaryKey(),
    /** In millionths: 57,500 is 5.75 %. */
    ratePpm: integer('rate_ppm').notNull(),
    taxesDelivery: boolean('taxes_delivery').notNull().default(false),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [check('tax_rates_rate', sql`${table.ratePpm} between 0 and 300000`)],
);

/** Never deleted: orders refer to them. A use is an order with it that was not cancelled (orders_discount). */
export const discounts = pgTable(
  'discounts',
  {
    id: uuid('id').primaryKey(),
    /** Upper case, since codes are case-insensitive. */
    code: text('code').notNull().unique(),
    kind: text('kind').$type<DiscountKind>().notNull(),
    percent: smallint('percent'),
    amountCents: integer('amount_cents'),
    /** The minimum sum of goods; null: none. */
    minimumCents: integer('minimum_cents'),
    startsAt: at('starts_at'),
    endsAt: at('ends_at'),
    maxUses: integer('max_uses'),
    maxUsesPerCustomer: integer('max_uses_per_customer'),
    /** Only goods of these categories; null: all. */
    categoryIds: uuid('category_ids').array(),
    /** An internal note. */
    note: text('note').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('discounts_newest').on(table.createdAt, table.id),
    check('discounts_code', sql`${table.code} ~ '^[A-Z0-9-]{3,40}$'`),
    check(
      'discounts_kind',
      sql`(${table.kind} = 'percent') = (${table.percent} is not null)
        and (${table.kind} = 'amount') = (${table.amountCents} is not null)
        and ${table.kind} in ('percent', 'amount', 'free_delivery')`,
    ),
    check('discounts_percent', sql`${table.percent} between 1 and 100`),
    check('discounts_amount', sql`${table.amountCents} > 0`),
  ],
);
