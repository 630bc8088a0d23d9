/** Mails and contact messages. */
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { at, bytes } from './columns';
import { orders } from './orders';

export type MailKind =
  | 'order_confirmation'
  | 'out_for_delivery'
  | 'refund'
  | 'password_reset'
  | 'contact_received'
  | 'security_notice'
  | 'message_reply'
  | 'email_proof'
  | 'account_takeover'
  | 'staff_invitation'
  | 'new_order'
  | 'daily_orders'
  | 'low_stock';
export type MailState = 'waiting' | 'sent' | 'failed' | 'cancelled';

/**
 * Every mail, inserted with its job in the transaction of the event. It is rendered when it is sent, from the rows it
 * refers to and `facts`; neither contains a secret.
 */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<MailKind>().notNull(),
    /** The event, such as `order_confirmation:<order>`. Unique, so no event is mailed twice. */
    about: text('about').notNull().unique(),
    recipient: text('recipient').notNull(),
    userId: uuid('user_id').references(() => users.id),
    orderId: uuid('order_id').references(() => orders.id),
    facts: jsonb('facts').notNull().default({}),
    state: text('state').$type<MailState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
    sentAt: at('sent_at'),
  },
  (table) => [
    index('mails_newest').on(table.createdAt, table.id),
    index('mails_by_state').on(table.state, table.createdAt, table.id),
    index('mails_failed')
      .on(table.createdAt)
      .where(sql`state = 'failed'`),
    index('mails_waiting')
      .on(table.createdAt)
      .where(sql`state = 'waiting'`),
    index('mails_order').on(table.orderId),
    check('mails_state', sql`${table.state} in ('waiting', 'sent', 'failed', 'cancelled')`),
  ],
);

/** Recent security notices per email address: more than a few within an hour are combined into one mail. */
export const noticeCounts = pgTable('notice_counts', {
  /** SHA-256 of the normalized email address. */
  recipientHash: bytes('recipient_hash').primaryKey(),
  /** The notices of the last hour that were mailed individually. */
  mailedAt: timestamp('mailed_at', { withTimezone: true, mode: 'date' }).array().notNull(),
  /** The mail that combines the later ones. */
  collectingId: uuid('collecting_id'),
  lastAt: at('last_at').notNull(),
});

/** Which emails a member of staff chose. Without a row, those of src/shared/staffMails.ts. */
export const staffMails = pgTable(
  'staff_mails',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    newOrder: text('new_order').$type<'off' | 'each' | 'daily'>().notNull(),
    lowStock: boolean('low_stock').notNull(),
    newMessage: boolean('new_message').notNull(),
  },
  (table) => [check('staff_mails_new_order', sql`${table.newOrder} in ('off', 'each', 'daily')`)],
);

/**
 * Paid orders that a member of staff is told of in the next daily email. The transaction of the payment inserts a row,
 * and that of the email deletes it, so each order is in exactly one.
 */
export const dailyMailOrders = pgTable(
  'daily_mail_orders',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.orderId] })],
);

/** Contact messages to the owner. */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: uuid('id').primaryKey(),
    fullName: text('full_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    reason: text('reason').notNull(),
    userId: uuid('user_id').references(() => users.id),
    createdAt: at('created_at').notNull(),
    readAt: at('read_at'),
    answeredAt: at('answered_at'),
  },
  (table) => [
    index('contact_messages_newest').on(table.createdAt, table.id),
    // the messages of a customer: written while logged in, or from the same email
    index('contact_messages_user')
      .on(table.userId)
      .where(sql`user_id is not null`),
    index('contact_messages_email').on(sql`lower(${table.email})`),
    index('contact_messages_new')
      .on(table.createdAt, table.id)
      .where(sql`read_at is null and answered_at is null`),
    index('contact_messages_read')
      .on(table.createdAt, table.id)
      .where(sql`read_at is not null and answered_at is null`),
    index('contact_messages_answered')
      .on(table.createdAt, table.id)
      .where(sql`answered_at is not null`),
    index('contact_messages_words').using(
      'gin',
      table.fullName.op('gin_trgm_ops'),
      table.email.op('gin_trgm_ops'),
      table.reason.op('gin_trgm_ops'),
    ),
  ],
);

/** Staff's reply to a message. Its mail is `message_reply:<reply>`. */
export const messageReplies = pgTable(
  'message_replies',
  {
    id: uuid('id').primaryKey(),
    messageId: uuid('message_id')
      .notNull()
      .references(() => contactMessages.id),
    byUserId: uuid('by_user_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    at: at('at').notNull(),
  },
  (table) => [index('message_replies_message').on(table.messageId, table.at)],
);
