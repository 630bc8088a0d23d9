/** The keys of access and refresh tokens. Rule: docs/rules/running.md, Secrets */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

export const accessTokenMinutes = 15;

export type TokenKeys = {
  /** Signs access tokens. */
  accessKey: KeyObject;
  /** Derives a refresh token's successor and its MAC. */
  successorKey: Uint8Array;
};

export const tokenKeysOf = (secret: string): TokenKeys => ({
  accessKey: createSecretKey(deriveKey(secret, 'access token')),
  successorKey: deriveKey(secret, 'refresh token successor'),
});

const keyBytes = 32;

/** One key per purpose, so that a value made for one purpose is never valid for another. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, keyBytes));
