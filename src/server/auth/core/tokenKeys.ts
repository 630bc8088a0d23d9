/** The keys of access and refresh tokens. Rule: docs/rules/running.md, Secrets */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

export const accessTokenMinutes = 15;

export type TokenKeys = {
  /** Signs access tokens. */
  accessKey: KeyObject;
  /** Makes a refresh token's successor and its seal. */
  successorKey: Uint8Array;
};

export const tokenKeysOf = (secret: string): TokenKeys => ({
  accessKey: createSecretKey(deriveKey(secret, 'access token')),
  successorKey: deriveKey(secret, 'refresh token successor'),
});

const keyBytes = 32;

/** Keys for different purposes, so that what is made with one means nothing to the other. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, keyBytes));
