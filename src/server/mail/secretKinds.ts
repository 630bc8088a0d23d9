import type { MailKind } from '../db/schema/tables';

/** Kinds with a private link in them: their words are shown to nobody but the recipient, and are in no backup. */
export const secretKinds: readonly MailKind[] = ['password_reset', 'email_proof', 'account_takeover'];
