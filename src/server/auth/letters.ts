/** The letters about an account. Their links are made from PUBLIC_URL alone, never from a request. */
import { createHash, createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { passwordResets } from '../db/schema';
import type { MailRow } from '../mail/outbox';
import type { Letter, LetterParts } from '../mail/render';
import type { Notice } from './notices';

export const resetMinutes = 30;

/** The token is made of the reset's id, so it can be made again when the mail is sent: 256 bits that only the key can make. */
export const resetTokenOf = (resetId: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(resetId).digest('base64url');

/** What the database keeps of it. */
export const hashResetToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** `facts.resetId` names the reset; its token is made here, when the letter is sent, and nowhere kept. */
export async function tellResetLink(
  mail: MailRow,
  { db, clock, publicUrl, secrets }: LetterParts,
): Promise<Letter | undefined> {
  const { resetId } = mail.facts as { resetId: string };
  const [reset] = await db.select().from(passwordResets).where(eq(passwordResets.id, resetId));
  if (!reset || reset.endedAt || reset.expiresAt <= clock.now()) return undefined;
  const url = new URL('/reset-password', publicUrl);
  // behind the #, a token reaches no log of a server or proxy and no Referer; the page takes it out of the address
  url.hash = new URLSearchParams({ token: resetTokenOf(resetId, secrets.resetKey) }).toString();
  return {
    subject: 'Set a new password',
    paragraphs: [
      'Somebody, probably you, asked for a link to set a new password.',
      `The link works once, for ${resetMinutes} minutes. If you did not ask for it, you need not do anything.`,
    ],
    action: { label: 'Set a new password', url: url.href },
  };
}

const happened: Record<Notice['what'], { subject: string; sentence: string }> = {
  session_reused: {
    subject: 'We ended one of your sessions',
    sentence:
      'A session of yours was used in two places, so we ended it. If you did not copy it yourself, please change your password.',
  },
  password_changed: { subject: 'Your password was changed', sentence: 'The password of your account was changed.' },
  password_reset: {
    subject: 'Your password was changed',
    sentence: 'The password of your account was set anew with a link that we mailed to you.',
  },
  email_changed: {
    subject: 'Your email address was changed',
    sentence: 'The email address of your account was changed. This is the last mail to this address.',
  },
  second_factor_on: { subject: 'Two-step login is on', sentence: 'Two-step login was switched on for your account.' },
  second_factor_off: {
    subject: 'Two-step login is off',
    sentence: 'Two-step login was switched off for your account.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    sentence: 'Somebody logged in to your account with one of your recovery codes.',
  },
};

/** `facts.what` says which of them. */
export async function tellNotice(mail: MailRow, { publicUrl }: LetterParts): Promise<Letter> {
  const { what } = mail.facts as { what: Notice['what'] };
  const { subject, sentence } = happened[what];
  const advice =
    what === 'email_changed'
      ? 'If it was not you, please write to us at once.'
      : 'If it was not you, please set a new password at once.';
  const action =
    what === 'email_changed'
      ? { label: 'Write to us', url: `${publicUrl.origin}/contact` }
      : { label: 'Set a new password', url: `${publicUrl.origin}/forgot-password` };
  return { subject, paragraphs: [sentence, advice], action };
}
