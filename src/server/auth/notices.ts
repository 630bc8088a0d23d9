/** Mails about changes of an account, so that its owner notices what a stranger did. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/transact';
import { writeMail } from '../mail/outbox';

export type Notice = {
  what:
    | 'session_reused'
    | 'password_changed'
    | 'password_reset'
    | 'email_changed'
    | 'second_factor_on'
    | 'second_factor_off'
    | 'recovery_code_used';
};

/** @param person whose account it is, with the address that is told */
export async function sendNotice(
  tx: Tx,
  { id, email }: { id: string; email: string },
  { what }: Notice,
  now: Date,
): Promise<void> {
  const about = `security_notice:${randomUUID()}`;
  await writeMail(tx, { kind: 'security_notice', about, recipient: email, userId: id, facts: { what }, now });
}
