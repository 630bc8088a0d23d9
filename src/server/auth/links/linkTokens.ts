/**
 * The tokens of the links that the shop mails. A token is made of its link's id, so it can be made again when the mail is
 * sent: 256 bits that only the key can make.
 */
import { createHash, createHmac } from 'node:crypto';

export const resetMinutes = 30;
export const emailLinkMinutes = 30;

export const resetTokenOf = (resetId: string, key: Uint8Array): string => tokenOf(resetId, key);

/** Another text than that of a reset, so that no token of one is a token of the other. */
export const emailLinkTokenOf = (linkId: string, key: Uint8Array): string => tokenOf(`email link ${linkId}`, key);

const tokenOf = (text: string, key: Uint8Array) => createHmac('sha256', key).update(text).digest('base64url');

/** What the database keeps of a token. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();
