/** The token of a reset link is made of the reset's id, so it can be made again when the mail is sent. Source: decisions §2 */
import { createHash, createHmac } from 'node:crypto';

export const resetMinutes = 30;

/** 256 bits that only the server's key can make. */
export const resetTokenOf = (resetId: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(resetId).digest('base64url');

/** What the database keeps of it. */
export const hashResetToken = (token: string): Buffer => createHash('sha256').update(token).digest();
