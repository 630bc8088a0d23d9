/**
 * The tokens of mailed links. A token is a 256-bit HMAC of its link's id, so it need not be stored: it is derived again
 * when the mail is sent.
 */
import { createHash, createHmac } from 'node:crypto';

export const resetMinutes = 30;
export const emailLinkMinutes = 30;

export const resetTokenOf = (resetId: string, key: Uint8Array): string => tokenOf(resetId, key);

/** The prefix keeps these tokens distinct from those of resets. */
export const emailLinkTokenOf = (linkId: string, key: Uint8Array): string => tokenOf(`email link ${linkId}`, key);

export const invitationHours = 72;

export const invitationTokenOf = (invitationId: string, key: Uint8Array): string =>
  tokenOf(`invitation ${invitationId}`, key);

const tokenOf = (text: string, key: Uint8Array) => createHmac('sha256', key).update(text).digest('base64url');

/** The form in which the database stores a token. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();
