/** The emails about an account. Their links are built from PUBLIC_URL, never from a request. */
import { eq } from 'drizzle-orm';
import { findUser, findUsers } from '../users/core/service';
import { emailLinks, passwordResets } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import type { MailRow } from '../mail/outbox';
import type { EmailContent, EmailParts } from '../mail/render';
import { emailLinkMinutes, emailLinkTokenOf, resetMinutes, resetTokenOf } from './links/linkTokens';
import type { Demotion, CollectedNotices, Notice } from './core/notices';

/** `facts.resetId` names the reset; its token is derived here when the mail is sent, and never stored. */
export async function resetLinkEmail(
  mail: MailRow,
  { db, clock, publicUrl, secrets }: EmailParts,
): Promise<EmailContent | undefined> {
  const { resetId } = mail.facts as { resetId: string };
  const [reset] = await db.select().from(passwordResets).where(eq(passwordResets.id, resetId));
  if (!reset || reset.endedAt || reset.expiresAt <= clock.now()) return undefined;
  const url = linkTo(new URL('/reset-password', publicUrl), resetTokenOf(resetId, secrets.resetKey));
  return {
    subject: 'Set a new password',
    paragraphs: [
      'Somebody, probably you, asked for a link to set a new password.',
      `The link works once, for ${resetMinutes} minutes. If you did not ask for it, you need not do anything.`,
    ],
    action: { label: 'Set a new password', url },
  };
}

/** `facts.linkId` names the link; its token is derived here too. */
export async function proofLinkEmail(mail: MailRow, parts: EmailParts): Promise<EmailContent | undefined> {
  const url = await makeEmailLink(mail, parts);
  if (!url) return undefined;
  return {
    subject: 'Confirm your email address',
    paragraphs: [
      'Somebody, probably you, named this address for an account in our shop.',
      `The link works once, for ${emailLinkMinutes} minutes. If it was not you, please do not open it.`,
    ],
    action: { label: 'Confirm this address', url },
  };
}

/** The same for a takeover link. */
export async function takeoverLinkEmail(mail: MailRow, parts: EmailParts): Promise<EmailContent | undefined> {
  const url = await makeEmailLink(mail, parts, 'takeover');
  if (!url) return undefined;
  return {
    subject: 'There is an account with your address',
    paragraphs: [
      'Somebody, probably you, tried to make an account with this address. There is one already, but nobody has shown that the address is theirs.',
      `With this link you take the address over: you get a new account, and what was in the former one is removed. It works once, for ${emailLinkMinutes} minutes.`,
      `If you made that account and want to keep what is in it, set a new password instead: ${parts.publicUrl.origin}/forgot-password. If it was not you who tried, you need not do anything.`,
    ],
    action: { label: 'Take the address over', url },
  };
}

/** @returns undefined when the link was used, has expired or was replaced by a newer one */
async function makeEmailLink(mail: MailRow, { db, clock, publicUrl, secrets }: EmailParts, name?: 'takeover') {
  const { linkId } = mail.facts as { linkId: string };
  const [link] = await db.select().from(emailLinks).where(eq(emailLinks.id, linkId));
  if (!link || link.endedAt || link.expiresAt <= clock.now()) return undefined;
  return linkTo(new URL('/confirm-email', publicUrl), emailLinkTokenOf(linkId, secrets.resetKey), name);
}

/** In the fragment, a token reaches no server or proxy log and no Referer; the page removes it from the URL. */
function linkTo(page: URL, token: string, name = 'token'): string {
  page.hash = new URLSearchParams({ [name]: token }).toString();
  return page.href;
}

const notices: Record<Notice['what'], { subject: string; sentence: string }> = {
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
  email_asked_for: {
    subject: 'Another email address was asked for',
    sentence:
      'Somebody asked to change the email address of your account, and has to open the link that we mailed to the new one.',
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
  admin_demoted: {
    subject: 'An admin was made a customer',
    sentence: 'An admin was made a customer by another admin.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    sentence: 'Somebody used one of your recovery codes, to log in or to change your email address.',
  },
};

/** `facts.what` names the notice; 'several' are counted in `facts.happened`. */
export async function noticeEmail(mail: MailRow, { db, publicUrl }: EmailParts): Promise<EmailContent> {
  const facts = mail.facts as Notice | { what: 'several'; happened: CollectedNotices };
  if (facts.what === 'several') return severalNoticesEmail(facts.happened, db, publicUrl);
  if (facts.what === 'admin_demoted') return demotionEmail(facts, db, publicUrl);
  const { what } = facts;
  const { subject, sentence } = notices[what];
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

/** To the owner. */
async function demotionEmail({ what, demotedId, byId }: Demotion, db: Db, { origin }: URL): Promise<EmailContent> {
  const [demoted, by] = await Promise.all([findUser(db, demotedId), findUser(db, byId)]);
  return {
    subject: notices[what].subject,
    paragraphs: [
      `${by?.fullName ?? 'An admin'} made ${demoted?.fullName ?? 'another admin'} a customer.`,
      'The page of the account lists the accounts that its holder made staff. They are staff still.',
    ],
    action: { label: 'Look at the account', url: `${origin}/admin/view/user/${demotedId}` },
  };
}

async function severalNoticesEmail(happened: CollectedNotices, db: Db, { origin }: URL): Promise<EmailContent> {
  const lines = happened.map(({ what, count, lastAt }) => {
    const last = `${lastAt.slice(0, 10)} ${lastAt.slice(11, 16)} UTC`;
    return `${notices[what].sentence} (${count === 1 ? last : `${count} times, the last at ${last}`})`;
  });
  const demoted = await findUsers(db, [...new Set(happened.flatMap(({ demotedIds = [] }) => demotedIds))]);
  const named = demoted.map(({ id, fullName }) => `${fullName} is a customer now: ${origin}/admin/view/user/${id}`);
  return {
    subject: 'More happened to your account',
    paragraphs: [
      'So much happened in an hour that we did not write a mail about each thing.',
      'If it was not you, please set a new password at once.',
    ],
    block: { title: 'What happened', lines: [...lines, ...named] },
    action: { label: 'Set a new password', url: `${origin}/forgot-password` },
  };
}
