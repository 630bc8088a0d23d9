/** What the shop itself keeps: settings, secrets, answers of mutations, alarms, and who did what. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { at, bytes } from './columns';
import { orders } from './orders';

/** What the owner decides about the shop (server/settings); without the one row it is as the shop came. */
export const shopSettings = pgTable(
  'shop_settings',
  {
    only: boolean('only').primaryKey().default(true),
    shopName: text('shop_name').notNull(),
    contactEmail: text('contact_email').notNull(),
    contactPhone: text('contact_phone').notNull(),
    /** A name that both the database and the browser know, as America/New_York. */
    timeZone: text('time_zone').notNull(),
    lowStockThreshold: integer('low_stock_threshold').notNull(),
    newCustomerUnits: integer('new_customer_units').notNull().default(99),
    newCustomerLimits: boolean('new_customer_limits').notNull().default(true),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [check('shop_settings_only', sql`${table.only}`)],
);

/** Secrets and switches that every process shares: signing key, sandbox keys. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
});

/** The answer kept for a mutation sent with an Idempotency-Key. `scope` is the user's id, for visitors the operation. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    scope: text('scope').notNull(),
    key: uuid('key').notNull(),
    requestHash: bytes('request_hash').notNull(),
    status: smallint('status'),
    answer: jsonb('answer'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.key] }), index('idempotency_keys_age').on(table.createdAt)],
);

export type AlarmKind =
  | 'paid_undeliverable'
  | 'paid_twice'
  | 'event_refused'
  | 'mail_failed'
  | 'mail_waiting'
  | 'refund_failed'
  | 'webhook_silent'
  | 'payment_key_refused'
  | 'large_hold';

/** What a person should look at. `about` names the thing, so that it is raised once. */
export const alarms = pgTable(
  'alarms',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<AlarmKind>().notNull(),
    about: text('about').notNull().unique(),
    orderId: uuid('order_id').references(() => orders.id),
    detail: text('detail').notNull(),
    createdAt: at('created_at').notNull(),
    settledAt: at('settled_at'),
    settledBy: uuid('settled_by').references(() => users.id),
  },
  (table) => [
    index('alarms_open')
      .on(table.createdAt)
      .where(sql`settled_at is null`),
  ],
);

/**
 * Who did what to which thing, append only (a trigger refuses anything else). Of fields with personal data only the name
 * is kept.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: at('at').notNull(),
    /** Null: the shop itself, or a visitor. */
    actorId: uuid('actor_id').references(() => users.id),
    /** What was done, as `user.role_changed`. */
    action: text('action').notNull(),
    targetKind: text('target_kind').notNull(),
    targetId: text('target_id'),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id'),
  },
  (table) => [
    index('audit_log_at').on(table.at, table.id),
    index('audit_log_target').on(table.targetKind, table.targetId, table.id),
    index('audit_log_actor').on(table.actorId, table.id),
    index('audit_log_action').on(table.action, table.at, table.id),
  ],
);
