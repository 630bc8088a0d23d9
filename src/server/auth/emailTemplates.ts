/** The emails about an account. Their links are built from PUBLIC_URL, never from a request. */
import { eq } from 'drizzle-orm';
import { countOf } from '../../shared/counts';
import { findUser, findUsers } from '../users/core/service';
import { emailLinks, passwordResets, staffInvitations } from '../db/schema/tables';
import type { MailRow } from '../mail/outbox';
import type { EmailContent, EmailParts } from '../mail/render';
import {
  emailLinkMinutes,
  emailLinkTokenOf,
  invitationHours,
  invitationTokenOf,
  resetMinutes,
  resetTokenOf,
} from './links/linkTokens';
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
    subject: 'Reset your password',
    preheader: `The link works once and expires in ${resetMinutes} minutes.`,
    paragraphs: [
      'We got a request to reset the password for your account. Use the button below to choose a new one.',
      `The link works once and expires in ${resetMinutes} minutes. If you didn't ask for this, you can ignore this email. Your password won't change.`,
    ],
    action: { label: 'Reset your password', url },
    why: 'account',
  };
}

/** `facts.linkId` names the link; its token is derived here too. */
export async function proofLinkEmail(mail: MailRow, parts: EmailParts): Promise<EmailContent | undefined> {
  const url = await makeEmailLink(mail, parts);
  if (!url) return undefined;
  return {
    subject: 'Confirm your email',
    preheader: 'One tap to confirm that this address is yours.',
    paragraphs: [
      'This email was added to an account with us. If that was you, confirm it with the button below.',
      `The link works once and expires in ${emailLinkMinutes} minutes. If this wasn't you, don't open the link.`,
    ],
    action: { label: 'Confirm email', url },
    why: 'account',
  };
}

/** The same for a takeover link. */
export async function takeoverLinkEmail(mail: MailRow, parts: EmailParts): Promise<EmailContent | undefined> {
  const url = await makeEmailLink(mail, parts, 'takeover');
  if (!url) return undefined;
  return {
    subject: "There's already an account with your email",
    preheader: 'You can claim this email and start with a new account.',
    paragraphs: [
      "Someone, probably you, tried to create an account with this email. There's already an account with it, but the email was never confirmed.",
      `To use this email for a new account, claim it with the button below. You'll get a new, empty account, and everything in the old one is removed. The link works once and expires in ${emailLinkMinutes} minutes.`,
      `If you created the first account and want to keep what's in it, reset your password instead: ${parts.publicUrl.origin}/forgot-password. If you didn't try to sign up, you can ignore this email.`,
    ],
    action: { label: 'Claim this email', url },
    why: 'account',
  };
}

/** `facts.invitationId` names the invitation; its token is derived here too. */
export async function invitationEmail(
  mail: MailRow,
  { db, clock, publicUrl, secrets }: EmailParts,
): Promise<EmailContent | undefined> {
  const { invitationId } = mail.facts as { invitationId: string };
  const [invitation] = await db.select().from(staffInvitations).where(eq(staffInvitations.id, invitationId));
  if (!invitation || invitation.endedAt || invitation.expiresAt <= clock.now()) return undefined;
  const inviter = await findUser(db, invitation.invitedBy);
  return {
    subject: 'You are invited to work in our shop',
    preheader: 'Choose a password to get started.',
    paragraphs: [
      `Hi ${invitation.fullName}, ${inviter?.fullName ?? 'our team'} invited you to help run our online shop. Use the button below to choose your password.`,
      `The link works once and expires in ${invitationHours} hours. If you don't know what this is about, you can ignore this email.`,
    ],
    action: {
      label: 'Choose a password',
      url: linkTo(new URL('/invitation', publicUrl), invitationTokenOf(invitationId, secrets.resetKey)),
    },
    why: 'account',
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
    subject: 'We logged you out on one device',
    sentence: 'One of your logins was used in two places, so we logged that device out to protect your account.',
  },
  password_changed: { subject: 'Your password was changed', sentence: 'The password for your account was changed.' },
  password_reset: {
    subject: 'Your password was changed',
    sentence: 'Your password was reset with a link we emailed to you.',
  },
  email_asked_for: {
    subject: 'Someone asked to change your email',
    sentence:
      "Someone asked to change the email on your account. It won't change until the link we sent to the new address is opened.",
  },
  email_changed: {
    subject: 'Your email was changed',
    sentence: "The email on your account was changed. This is the last message we'll send to this address.",
  },
  second_factor_on: { subject: 'Two-step login is on', sentence: 'Two-step login was turned on for your account.' },
  second_factor_off: {
    subject: 'Two-step login is off',
    sentence: 'Two-step login was turned off for your account.',
  },
  recovery_codes_replaced: {
    subject: 'You have new recovery codes',
    sentence: 'The recovery codes for your account were replaced. The old ones no longer work.',
  },
  admin_demoted: {
    subject: 'An admin is now a customer',
    sentence: 'An admin was changed to a customer by another admin.',
  },
  backup_downloaded: {
    subject: 'A backup was downloaded',
    sentence: 'A backup of the shop, with all its customers and orders, was downloaded with your login.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    sentence: 'Someone used one of your recovery codes to log in or to change your email.',
  },
  email_settings_changed: {
    subject: 'Your email settings were changed',
    sentence: "The mail server that sends your shop's emails was changed in Settings.",
  },
  mail_server_removed: {
    subject: 'Your mail server was removed',
    sentence:
      "The mail server that sends your shop's emails was removed in Settings. Until you set one up, no email is sent.",
  },
};

type NextStep = { advice: string; label: string; path: string };
const resetPassword: NextStep = {
  advice: "If this wasn't you, reset your password right away.",
  label: 'Reset your password',
  path: '/forgot-password',
};
/** What the recipient does if it was another person. */
const stepsAfter: Partial<Record<Notice['what'], NextStep>> = {
  email_changed: { advice: "If this wasn't you, contact us right away.", label: 'Contact us', path: '/contact' },
  // the link to reset a password is an email too
  mail_server_removed: {
    advice: "If this wasn't you, change your password right away.",
    label: 'Change your password',
    path: '/admin/edit/password',
  },
};

/** `facts.what` names the notice; 'several' are counted in `facts.happened`. */
export async function noticeEmail(mail: MailRow, parts: EmailParts): Promise<EmailContent> {
  const facts = mail.facts as Notice | { what: 'several'; happened: CollectedNotices };
  if (facts.what === 'several') return severalNoticesEmail(facts.happened, parts);
  if (facts.what === 'admin_demoted') return demotionEmail(facts, parts);
  const { origin } = parts.publicUrl;
  const { what } = facts;
  const { subject, sentence } = notices[what];
  const { advice, label, path } = stepsAfter[what] ?? resetPassword;
  const action = { label, url: `${origin}${path}` };
  const preheader =
    what === 'session_reused' ? 'We did this to protect your account.' : "If this was you, there's nothing to do.";
  return { subject, preheader, paragraphs: [sentence, advice], action, why: 'account' };
}

/** To the owner. */
async function demotionEmail({ what, demotedId, byId }: Demotion, parts: EmailParts): Promise<EmailContent> {
  const { db, publicUrl } = parts;
  const [demoted, by] = await Promise.all([findUser(db, demotedId), findUser(db, byId)]);
  const [who, whom] = [by?.fullName ?? 'An admin', demoted?.fullName ?? 'another admin'];
  return {
    subject: notices[what].subject,
    preheader: `${who} changed ${whom}'s role.`,
    paragraphs: [
      `${who} changed ${whom} from admin to customer.`,
      "Any accounts that person promoted are still staff. You'll find them on the account page.",
    ],
    action: { label: 'View account', url: `${publicUrl.origin}/admin/view/user/${demotedId}` },
    why: 'owns',
  };
}

async function severalNoticesEmail(happened: CollectedNotices, parts: EmailParts): Promise<EmailContent> {
  const { db, publicUrl } = parts;
  const { origin } = publicUrl;
  const timeOf = timeIn(parts.sender.timeZone);
  const lines = happened.map(({ what, count, lastAt }) => {
    const last = timeOf(lastAt);
    return `${notices[what].sentence} (${count === 1 ? last : `${count} times, most recently ${last}`})`;
  });
  const demoted = await findUsers(db, [...new Set(happened.flatMap(({ demotedIds = [] }) => demotedIds))]);
  const named = demoted.map(({ id, fullName }) => `${fullName} is now a customer: ${origin}/admin/view/user/${id}`);
  return {
    subject: 'Several changes to your account',
    preheader: `${countOf(happened.length, 'kind')} of changes in the past hour.`,
    paragraphs: [
      'A lot happened on your account in the past hour, so we put it all in one email.',
      "If this wasn't you, reset your password right away.",
    ],
    block: { title: 'What happened', lines: [...lines, ...named] },
    action: { label: 'Reset your password', url: `${origin}/forgot-password` },
    why: 'account',
  };
}

/** @returns a function that writes a time: 'Nov 28, 2026, 3:43 PM ET' */
function timeIn(timeZone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'shortGeneric',
    timeZone,
  });
  return (iso) => format.format(new Date(iso)).replaceAll('\u202f', ' ');
}
