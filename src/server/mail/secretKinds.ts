import type { MailKind } from '../db/schema/tables';

/** Mails with a private link: only the recipient may see their text, and no backup contains them. */
export const secretKinds: readonly MailKind[] = [
  'password_reset',
  'email_proof',
  'account_takeover',
  'staff_invitation',
];
