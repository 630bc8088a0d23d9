/** Why a mail was not sent: because of the server, or because of this recipient or message. */
import type { Schema } from '../../shared/contract';
import { describeFailure } from '../db/core/loggedErrors';
import { singleLine } from './render';

export type ServerFailure = Pick<Schema<'MailServerFailure'>, 'reason' | 'response'>;

/** The stored password can't be decrypted. */
export class PasswordUnreadable extends Error {}

/** As nodemailer throws it. */
type SmtpError = { code?: string; command?: string; responseCode?: number };

const maxLength = 300;

/**
 * @param error from the mailer
 * @returns why the server takes no mail at all; undefined if it answered, and only refused this recipient or message
 */
export function serverFailureOf(error: unknown): ServerFailure | undefined {
  const reason = reasonOf(error);
  return reason && { reason, response: singleLine(describeFailure(error).message).slice(0, maxLength) };
}

function reasonOf(error: unknown): ServerFailure['reason'] | undefined {
  if (error instanceof PasswordUnreadable) return 'password';
  const { code = '', command, responseCode } = error as SmtpError;
  if (code === 'EENVELOPE' && command === 'MAIL FROM') return responseCode === 530 ? 'login' : 'sender';
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return undefined;
  if (/^E(?:NO|O)?AUTH2?$/.test(code)) return 'login';
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'slow';
  if (code === 'ETLS' || isAboutCertificate(error)) return 'security';
  if (/^(?:ECONN\w*|ESOCKET|EDNS)$/.test(code)) return 'unreachable';
  if (code === 'EPROTOCOL') return 'refused';
  return undefined;
}

/** Node's codes, which nodemailer keeps beside its own. */
const isAboutCertificate = (error: unknown): boolean =>
  /CERT|SELF_SIGNED|^ERR_(?:TLS|SSL)/.test((error as { originalCode?: string }).originalCode ?? '');

/** Whether a retry is pointless: the address or the message was rejected for good. */
export function isRefusedForGood(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as SmtpError;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM' && responseCode >= 500;
}
