/** What staff see and write about a customer. Rule: docs/rules/back-office.md, A customer's page */
import { randomUUID } from 'node:crypto';
import { and, asc, count, desc, eq, notInArray, sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { customerLimits, customerMessages, mergeTags, tagKey } from '../../shared/customers';
import { fromCents } from '../../shared/money';
import { notKept, writeAudit } from '../audit/service';
import { customerNotes, customerTags, orders, users } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor, Session } from '../http/contract/access';
import { conflict } from '../http/core/problems';
import { isToShipAmong } from '../orders/toShip';
import { findUser, lockUser } from './core/service';
import { findCustomerFigures } from './customerFigures';
import { userNotFound } from './staff';

type StaffCall = { session: Session; by: Actor; now: Date };
type Summary = Schema<'CustomerSummary'>;

/** @throws Problem 404 user_not_found */
export async function readCustomerSummary(connection: Connection, userId: string): Promise<Summary> {
  if (!(await findUser(connection, userId))) throw userNotFound();
  return findSummary(connection, userId);
}

/** @throws Problem 404 user_not_found */
export async function addCustomerNote(
  tx: Tx,
  userId: string,
  text: string,
  { session, by, now }: StaffCall,
): Promise<Summary> {
  if (!(await findUser(tx, userId))) throw userNotFound();
  await tx.insert(customerNotes).values({ id: randomUUID(), userId, byUserId: session.userId, text, at: now });
  const target = { kind: 'user', id: userId } as const;
  await writeAudit(tx, { by, action: 'user.note_added', target, after: { text: notKept }, now });
  return findSummary(tx, userId);
}

/**
 * Sets the customer's tags, or applies the difference to the tags that the caller had seen.
 * @throws Problem 404 user_not_found, 409 too_many_tags
 */
export async function setCustomerTags(
  tx: Tx,
  userId: string,
  { tags, seen }: Schema<'NewCustomerTags'>,
  { by, now }: StaffCall,
): Promise<Summary> {
  if (!(await lockUser(tx, userId))) throw userNotFound();
  const stored = await findTags(tx, userId);
  const next = mergeTags(stored, { tags, seen: seen ?? stored });
  if (next.length > customerLimits.tags) throw conflict('too_many_tags', customerMessages.tooManyTags);
  if (await writeTags(tx, userId, stored, next)) {
    const target = { kind: 'user', id: userId } as const;
    // a tag may say something about a person's health, and the log is kept
    const facts = { before: { tags: notKept }, after: { tags: notKept } };
    await writeAudit(tx, { by, action: 'user.tags_changed', target, ...facts, now });
  }
  return findSummary(tx, userId);
}

/** @returns whether anything changed */
async function writeTags(tx: Tx, userId: string, stored: string[], next: string[]): Promise<boolean> {
  const keys = next.map(tagKey);
  const before = new Set(stored.map(tagKey));
  const added = next.filter((tag) => !before.has(tagKey(tag)));
  const isOfUser = eq(customerTags.userId, userId);
  const isRemoving = stored.some((tag) => !keys.includes(tagKey(tag)));
  if (isRemoving) await tx.delete(customerTags).where(and(isOfUser, notInArray(customerTags.tagKey, keys)));
  if (added.length > 0)
    await tx.insert(customerTags).values(added.map((tag) => ({ userId, tag, tagKey: tagKey(tag) })));
  return isRemoving || added.length > 0;
}

async function findSummary(connection: Connection, userId: string): Promise<Summary> {
  return {
    ...(await findFigures(connection, userId)),
    tags: await findTags(connection, userId),
    notes: await findNotes(connection, userId),
  };
}

/** Those to ship are what the list of orders counts. */
async function findFigures(connection: Connection, userId: string) {
  const figures = (await findCustomerFigures(connection, [userId]))(userId);
  return {
    orders: figures.orders,
    toShip: await connection.$count(orders, isToShipAmong(sql`${orders.userId} = ${userId}`)),
    spent: fromCents(figures.spentCents),
    firstOrderAt: figures.firstOrderAt?.toISOString() ?? null,
    lastOrderAt: figures.lastOrderAt?.toISOString() ?? null,
  };
}

async function findTags(connection: Connection, userId: string): Promise<string[]> {
  const rows = await connection
    .select({ tag: customerTags.tag })
    .from(customerTags)
    .where(eq(customerTags.userId, userId))
    .orderBy(asc(customerTags.tagKey));
  return rows.map(({ tag }) => tag);
}

async function findNotes(connection: Connection, userId: string): Promise<Schema<'CustomerNote'>[]> {
  const notes = await connection
    .select({ id: customerNotes.id, text: customerNotes.text, by: users.fullName, at: customerNotes.at })
    .from(customerNotes)
    .innerJoin(users, eq(users.id, customerNotes.byUserId))
    .where(eq(customerNotes.userId, userId))
    .orderBy(desc(customerNotes.at), desc(customerNotes.id));
  return notes.map((note) => ({ ...note, at: note.at.toISOString() }));
}

const maxOffered = 100;

/** The most common tags, each in one of its spellings. */
export const listCustomerTags = (connection: Connection): Promise<{ value: string; customers: number }[]> =>
  connection
    .select({ value: sql<string>`min(${customerTags.tag})`, customers: count() })
    .from(customerTags)
    .groupBy(customerTags.tagKey)
    .orderBy(desc(count()), asc(customerTags.tagKey))
    .limit(maxOffered);
