/**
 * Mails about changes of an account, so that its owner notices what a stranger did. An address gets five single mails
 * an hour; further notices are collected in one mail, sent when the hour is over. The mail about a changed address goes
 * out immediately: it is the last one to the old address, and each change needs a newly proven address.
 * Rule: docs/rules/contact-and-mail.md, Security notices
 */
import { createHash, randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { emailKey, type UserRow } from '../../users/core/service';
import { mails, noticeCounts } from '../../db/schema/tables';
import type { Tx } from '../../db/core/transact';
import { writeMail } from '../../mail/outbox';

export type Notice =
  | {
      what:
        | 'session_reused'
        | 'password_changed'
        | 'password_reset'
        | 'email_asked_for'
        | 'email_changed'
        | 'second_factor_on'
        | 'second_factor_off'
        | 'recovery_codes_replaced'
        | 'recovery_code_used'
        | 'email_settings_changed'
        | 'mail_server_removed'
        | 'backup_downloaded';
    }
  /** To the owner, about another account. */
  | Demotion;
export type Demotion = { what: 'admin_demoted'; demotedId: string; byId: string };

/** The content of a collected mail: per kind of notice its count, last time as ISO 8601, and the demoted users. */
export type CollectedNotices = { what: Notice['what']; count: number; lastAt: string; demotedIds?: string[] }[];

export const noticesAnHour = 5;
const maxNamed = 20; // demoted users
const hourMs = 3_600_000;

type Person = Pick<UserRow, 'id' | 'email' | 'emailProvenAt'>;

/**
 * Mails a notice to the account's address. An unproven address gets none, since it may be a stranger's.
 * @param person the account and the address to mail
 * Rule: docs/rules/accounts.md, Proven addresses
 */
export async function sendNotice(tx: Tx, person: Person, notice: Notice, now: Date): Promise<void> {
  if (!person.emailProvenAt) return;
  if (notice.what === 'email_changed') return void (await writeNotice(tx, person, { facts: notice, now }));
  const recipientHash = createHash('sha256').update(emailKey(person.email)).digest();
  const { mailedAt, collectingId } = await lockCounts(tx, recipientHash, now);
  const recent = mailedAt.filter((at) => at.getTime() > now.getTime() - hourMs);
  const [oldest] = recent;
  const isRecipient = eq(noticeCounts.recipientHash, recipientHash);
  if (!oldest || recent.length < noticesAnHour) {
    await tx
      .update(noticeCounts)
      .set({ mailedAt: [...recent, now] })
      .where(isRecipient);
    await writeNotice(tx, person, { facts: notice, now });
    return;
  }
  if (collectingId && (await addToCollected(tx, collectingId, notice, now))) return;
  const facts = { what: 'several', happened: [countNotice(notice, now)] };
  const delayMs = oldest.getTime() + hourMs - now.getTime();
  const id = await writeNotice(tx, person, { facts, delayMs, now });
  await tx.update(noticeCounts).set({ collectingId: id }).where(isRecipient);
}

/** Locks the counts of an address for `tx`. */
async function lockCounts(tx: Tx, recipientHash: Buffer, now: Date) {
  const [counts] = await tx
    .insert(noticeCounts)
    .values({ recipientHash, mailedAt: [], lastAt: now })
    .onConflictDoUpdate({ target: noticeCounts.recipientHash, set: { lastAt: now } })
    .returning();
  return counts as typeof noticeCounts.$inferSelect;
}

const writeNotice = (
  tx: Tx,
  { id: userId, email: recipient }: Person,
  notice: { facts: Record<string, unknown>; delayMs?: number; now: Date },
) => writeMail(tx, { kind: 'security_notice', about: `security_notice:${randomUUID()}`, recipient, userId, ...notice });

/** @returns false if sending has already begun: the notice then goes into another mail */
async function addToCollected(tx: Tx, mailId: string, notice: Notice, now: Date): Promise<boolean> {
  const isWaiting = and(eq(mails.id, mailId), eq(mails.state, 'waiting'), eq(mails.attempts, 0));
  const [mail] = await tx.select({ facts: mails.facts }).from(mails).where(isWaiting).for('update');
  if (!mail) return false;
  const { happened } = mail.facts as { happened: CollectedNotices };
  const known = happened.find(({ what }) => what === notice.what);
  const others = happened.filter((one) => one !== known);
  const next = [...others, countNotice(notice, now, known)];
  const facts = sql`jsonb_set(${mails.facts}, '{happened}', ${JSON.stringify(next)}::jsonb)`;
  await tx.update(mails).set({ facts }).where(eq(mails.id, mailId));
  return true;
}

const countNotice = (notice: Notice, now: Date, before?: CollectedNotices[number]): CollectedNotices[number] => ({
  what: notice.what,
  count: (before?.count ?? 0) + 1,
  lastAt: now.toISOString(),
  ...('demotedId' in notice && { demotedIds: [...(before?.demotedIds ?? []), notice.demotedId].slice(-maxNamed) }),
});
