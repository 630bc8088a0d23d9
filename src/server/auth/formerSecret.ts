/**
 * The end of the secret that releases before this one kept in the database. Their processes know no other, so it stays
 * while one of them is connected: old and new take each other's tokens, and an upgrade signs nobody out. Then its row is
 * deleted, and old backups, which have it, sign nothing either.
 *
 * The connection by which such a process is known may be away for a moment, so two looks in a row must miss it.
 * Rule: docs/rules/running.md, Secrets
 */
import { eq } from 'drizzle-orm';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { isFormerConnected } from '../db/formerProcesses';
import { settings } from '../db/schema';
import type { Db } from '../db/transact';
import { formerSecretName } from './secrets';
import type { KeyRing } from './tokenKeys';

const lookEveryMs = 60_000;

export type FormerSecretParts = {
  db: Db;
  /** A connection that may hold a session, with the login that former processes use. */
  direct: ClientConfig;
  tokenKeys: Pick<KeyRing, 'retireFormer'>;
  logger: Pick<Logger, 'info' | 'warn'>;
};

/** Looks now and every minute until the secret is gone. @returns ends the looking */
export function watchFormerSecret(parts: FormerSecretParts): () => void {
  const look = createLook(parts);
  const timer = setInterval(() => void lookOnce(), lookEveryMs);
  timer.unref();
  const lookOnce = async () => {
    try {
      if (await look()) clearInterval(timer);
    } catch (error) {
      parts.logger.warn({ reason: (error as Error).message }, 'the former signing key: the next look is in a minute');
    }
  };
  void lookOnce();
  return () => clearInterval(timer);
}

/** @returns one look, which tells whether the secret is gone */
export function createLook({ db, direct, tokenKeys, logger }: FormerSecretParts): () => Promise<boolean> {
  const isSecret = eq(settings.name, formerSecretName);
  let missed = 0;
  return async () => {
    const isThere = (await db.select({ name: settings.name }).from(settings).where(isSecret)).length > 0;
    if (isThere) {
      missed = (await isFormerConnected(direct)) ? 0 : missed + 1;
      if (missed < 2) return false;
      await db.delete(settings).where(isSecret);
      logger.info('the former signing key has left the database');
    }
    tokenKeys.retireFormer();
    return true;
  };
}
