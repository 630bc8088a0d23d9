/** Settings, secrets, saved responses of mutations, alarms and the audit log. */
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
import { defaultTexts } from '../../../shared/brandTexts';
import type { PaletteName } from '../../../shared/brandPalettes';
import type { Units } from '../../../shared/unitPrice';
import { users } from './accounts';
import { at, bytes } from './columns';
import { orders } from './orders';

export type StoredLogo = { hash: string; width: number; height: number };

/** The owner's settings (server/settings), in one row. Without it, the defaults apply. */
export const shopSettings = pgTable(
  'shop_settings',
  {
    only: boolean('only').primaryKey().default(true),
    shopName: text('shop_name').notNull(),
    contactEmail: text('contact_email').notNull(),
    contactPhone: text('contact_phone').notNull(),
    /** A time zone that both the database and browsers know, such as America/New_York. */
    timeZone: text('time_zone').notNull(),
    lowStockThreshold: integer('low_stock_threshold').notNull(),
    newCustomerUnits: integer('new_customer_units').notNull().default(99),
    newCustomerLimits: boolean('new_customer_limits').notNull().default(true),
    territories: boolean('territories').notNull().default(false),
    units: text('units').$type<Units>().notNull().default('us'),
    bannerTitle: text('banner_title').notNull().default('Savory, Seasoning & Spices'),
    bannerText: text('banner_text').notNull().default(defaultTexts.bannerText),
    aboutText: text('about_text').notNull().default(defaultTexts.aboutText),
    palette: text('palette').$type<PaletteName>().notNull().default('crimson'),
    storeAddress: text('store_address').notNull().default(''),
    collectsNoTax: boolean('collects_no_tax').notNull().default(false),
    /** The logo's files are `{hash}-…` in the picture store; the size is that of the one in the header. */
    logo: jsonb('logo').$type<StoredLogo>(),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [check('shop_settings_only', sql`${table.only}`)],
);

/** Secrets and switches shared by all processes: signing key, sandbox keys. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
});

/** The saved response of a mutation with an Idempotency-Key. `scope` is the user's id, or the operation for visitors. */
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
  | 'large_hold'
  | 'backup_failed'
  | 'backup_damaged'
  | 'backup_overdue';

/** Alarms for staff. `about` names the subject, so that each is raised once. */
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
 * The audit log: who did what to which thing. Append only, enforced by a trigger. For fields with personal data, only the
 * field's name is stored.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: at('at').notNull(),
    /** Null: the shop itself, or a visitor. */
    actorId: uuid('actor_id').references(() => users.id),
    /** The action, such as `user.role_changed`. */
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
