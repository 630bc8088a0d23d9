/**
 * A person who registers an address that is already registered but unproven is mailed a link to take it over.
 * Rule: docs/rules/accounts.md, Taking over an address
 */
import { sql } from 'drizzle-orm';
import { findUserByEmail, lockUser, type UserRow } from '../../users/core/service';
import { transact, type Connection, type Db } from '../../db/core/transact';
import { networkOf } from '../../http/core/network';
import { findOrderHistory } from '../../users/core/orderHistory';
import { mailEmailLink } from './emailLinks';
import { countWithin, takeoverRateLimits } from '../core/attemptLimits';
import type { Secrets } from '../core/secrets';

export type TakeoverRequest = { email: string; address: string };

/** `network` is where the request came from. */
export type TakeoverJob = { email: string; network: string };

/** Queues a job that may mail a link, so that the response and its timing are the same in every case. */
export async function requestTakeoverLink(db: Db, { email, address }: TakeoverRequest): Promise<void> {
  const payload = JSON.stringify({ email, network: networkOf(address) });
  await db.execute(sql`select graphile_worker.add_job('writeTakeoverLink', ${payload}::json, max_attempts := 5)`);
}

/** The job: mails a link, within the daily limits, if the account can be taken over. */
export async function writeTakeoverLink(
  { db, secrets }: { db: Db; secrets: Pick<Secrets, 'resetKey'> },
  { email, network }: TakeoverJob,
  now: Date,
): Promise<void> {
  const known = await findUserByEmail(db, email);
  if (!known) return;
  await transact(db, async (tx) => {
    const user = await lockUser(tx, known.id);
    if (!user || !(await canBeTakenOver(tx, user))) return;
    if (!(await countWithin(tx, takeoverRateLimits(user.email, network), now))) return;
    await mailEmailLink(tx, secrets, { userId: user.id, email: user.email, purpose: 'takeover' }, now);
  });
}

/** Whether the account must give its address up to the person who owns the mailbox. */
export async function canBeTakenOver(connection: Connection, user: UserRow): Promise<boolean> {
  if (user.emailProvenAt || !user.isEnabled || user.role !== 'ROLE_CUSTOMER') return false;
  return !(await findOrderHistory(connection, user.id)).hasPaid;
}
