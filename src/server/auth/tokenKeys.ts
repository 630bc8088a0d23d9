/**
 * The keys of access and refresh tokens, and which of them count at the moment. After an upgrade from a release that kept
 * its secret in the database, that release's keys still make the tokens while one of its processes is connected, since
 * it knows no others; after that they are taken until the last access token made with them has expired.
 * Rule: docs/rules/running.md, Secrets
 */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Clock } from '../clock';

export const accessTokenMinutes = 15;

export type TokenKeys = {
  /** Signs access tokens. */
  accessKey: KeyObject;
  /** Makes a refresh token's successor and its seal. */
  successorKey: Uint8Array;
};

export type KeyRing = {
  /** What new tokens are made with. */
  readonly issuing: TokenKeys;
  /** What tokens are read with. */
  readonly accepted: readonly TokenKeys[];
  /** Whether a refresh token with a seal that nobody knows may be one of before the upgrade. */
  readonly takesUnsealed: boolean;
  /** No process of the former release is connected any more. */
  retireFormer: () => void;
};

export type Former = {
  keys?: TokenKeys | undefined;
  /** When every session of before the upgrade has ended. */
  goesOnUntil?: Date | undefined;
};

// an access token lives 15 minutes; another process may notice a minute later, and clocks differ a little
const acceptedForMs = (accessTokenMinutes + 2) * 60_000;

export function createKeyRing(own: TokenKeys, clock: Pick<Clock, 'now'>, former: Former = {}): KeyRing {
  const { keys, goesOnUntil } = former;
  let retiredMs = keys ? Infinity : -Infinity;
  return {
    get issuing() {
      return keys && retiredMs === Infinity ? keys : own;
    },
    get accepted() {
      return keys && clock.now().getTime() < retiredMs + acceptedForMs ? [own, keys] : [own];
    },
    get takesUnsealed() {
      return goesOnUntil !== undefined && clock.now() < goesOnUntil;
    },
    retireFormer() {
      retiredMs = Math.min(retiredMs, clock.now().getTime());
    },
  };
}

/** The same secret gives the same keys as in the releases before, so that a shop with SESSION_SECRET notices nothing. */
export const tokenKeysOf = (secret: string): TokenKeys => ({
  accessKey: createSecretKey(deriveKey(secret, 'access token')),
  successorKey: deriveKey(secret, 'refresh token successor'),
});

const keyBytes = 32;

/** Keys for different purposes, so that what is made with one means nothing to the other. */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, keyBytes));
