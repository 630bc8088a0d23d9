/** Users and their credentials. */
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { at, bytes } from './columns';

export type UserRole = 'ROLE_CUSTOMER' | 'ROLE_ADMIN' | 'ROLE_OWNER';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    /** The email address in its unique form: NFKC, lower case. */
    emailKey: text('email_key').notNull(),
    fullName: text('full_name').notNull(),
    role: text('role').$type<UserRole>().notNull(),
    isEnabled: boolean('is_enabled').notNull().default(true),
    passwordHash: text('password_hash').notNull(),
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    /** When a link mailed to `email` was opened; null: the address is unproven. */
    emailProvenAt: at('email_proven_at'),
    imageUrl: text('image_url'),
    phoneNumber: text('phone_number'),
    dob: date('dob', { mode: 'string' }),
    description: text('description'),
    /** The second factor's secret, encrypted with the server's key; null if its setup was never started. */
    totpSecret: bytes('totp_secret'),
    /** Null until the first correct code; login requires the factor only from then on. */
    totpConfirmedAt: at('totp_confirmed_at'),
    /** The time step of the last accepted code, so that no code is accepted twice. */
    totpLastStep: integer('totp_last_step'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(table.emailKey),
    index('users_newest').on(table.createdAt, table.id),
    index('users_by_name').on(sql`lower(${table.fullName})`, table.id, table.fullName),
    index('users_by_role').on(table.role, table.createdAt, table.id),
    index('users_by_state').on(table.isEnabled, table.createdAt, table.id),
    index('users_words').using('gin', table.fullName.op('gin_trgm_ops'), table.email.op('gin_trgm_ops')),
    check('users_role', sql`${table.role} in ('ROLE_CUSTOMER', 'ROLE_ADMIN', 'ROLE_OWNER')`),
  ],
);

export const addresses = pgTable(
  'addresses',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    street: text('street').notNull(),
    city: text('city').notNull(),
    state: text('state').notNull(),
    postalCode: text('postal_code').notNull(),
    company: text('company').notNull().default(''),
    street2: text('street2').notNull().default(''),
    phone: text('phone').notNull().default(''),
    country: text('country').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('addresses_user').on(table.userId, table.createdAt)],
);

/** Ten single-use recovery codes for the second factor, as SHA-256. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: bytes('code_hash').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/**
 * A link to set a new password. Its token is an HMAC of the id with the server's key, so the mail can be rendered when it is
 * sent and the token is not stored. Only a user's newest link is valid.
 */
export const passwordResets = pgTable(
  'password_resets',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytes('token_hash').notNull().unique(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When it was used, or replaced by a newer one. */
    endedAt: at('ended_at'),
  },
  (table) => [index('password_resets_user').on(table.userId, table.createdAt)],
);

export type EmailLinkPurpose = 'proof' | 'takeover';

/**
 * A link that proves who owns an email address. As with password resets, the token is not stored, and only the newest link
 * of a user and purpose is valid.
 */
export const emailLinks = pgTable(
  'email_links',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<EmailLinkPurpose>().notNull(),
    /** The recipient: the account's email address, or its future one. */
    email: text('email').notNull(),
    tokenHash: bytes('token_hash').notNull().unique(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When it was used, or replaced by a newer one. */
    endedAt: at('ended_at'),
  },
  (table) => [
    index('email_links_user').on(table.userId, table.createdAt),
    check('email_links_purpose', sql`${table.purpose} in ('proof', 'takeover')`),
  ],
);

/**
 * An invitation to work in the shop. Its id becomes the account's. As with password resets, the token is not stored, and
 * only the newest invitation of an address is valid.
 */
export const staffInvitations = pgTable('staff_invitations', {
  id: uuid('id').primaryKey(),
  fullName: text('full_name').notNull(),
  email: text('email').notNull(),
  role: text('role').$type<UserRole>().notNull(),
  invitedBy: uuid('invited_by')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  tokenHash: bytes('token_hash').notNull().unique(),
  createdAt: at('created_at').notNull(),
  expiresAt: at('expires_at').notNull(),
  /** When it was used, or replaced by a newer one. */
  endedAt: at('ended_at'),
});

/**
 * One signed-in device: the chain of refresh tokens that started at one login. Only the newest token and the previous one
 * are stored (as SHA-256); any other token ends the family.
 */
export const sessionFamilies = pgTable(
  'session_families',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytes('token_hash').notNull(),
    previousTokenHash: bytes('previous_token_hash'),
    /** The number of refreshes; an access token contains the number of the refresh that issued it. */
    refreshNumber: integer('refresh_number').notNull().default(0),
    /** Whether the newest token, or an access token issued with it, was ever used. */
    successorUsed: boolean('successor_used').notNull().default(false),
    rememberMe: boolean('remember_me').notNull(),
    /** Browser and operating system in a few words, for the user's list of sessions. */
    device: text('device').notNull().default(''),
    /** Thumbprint (RFC 7638) of the key that each refresh must prove, once the session is bound to one. */
    keyThumbprint: bytes('key_thumbprint'),
    /** The token that was exchanged with the first proof; null if the login already had one. */
    boundTokenHash: bytes('bound_token_hash'),
    createdAt: at('created_at').notNull(),
    refreshedAt: at('refreshed_at').notNull(),
    endedAt: at('ended_at'),
    endReason: text('end_reason'),
  },
  (table) => [
    index('session_families_user').on(table.userId),
    index('session_families_ended').on(table.endedAt),
    index('session_families_refreshed').on(table.refreshedAt),
  ],
);

/** Failed attempts within a window, per account or network: counted before the attempt, so that no burst gets through. */
export const attempts = pgTable(
  'attempts',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    windowEndsAt: at('window_ends_at').notNull(),
  },
  (table) => [index('attempts_window').on(table.windowEndsAt)],
);
