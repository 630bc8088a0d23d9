/**
 * A session is the chain of refresh tokens that began at one login (a "family"). Each refresh replaces the token. A
 * token that is reused, other than by racing tabs or after a lost response, ends the whole session. An access token is
 * accepted while its session is live; liveness is cached, so the database is queried once.
 * Rule: docs/rules/accounts.md, Sessions
 */
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { findUser } from '../../users/core/service';
import type { Clock } from '../../core/clock';
import type { ChangeBus } from '../../db/core/changeBus';
import type { UserRole } from '../../db/schema/tables';
import { transact, type Db, type Tx } from '../../db/core/transact';
import type { Authenticate, RequiredAction, Session } from '../../http/contract/access';
import { createAccessTokens } from './accessTokens';
import { findDuty } from '../core/requiredActions';
import { watchSessions, type LiveSessions } from './liveSessions';
import { sendNotice } from '../core/notices';
import {
  familyIdOf,
  firstRefreshToken,
  hashRefreshToken,
  matchesDevice,
  isOlderThanBinding,
  lastsUntil,
  mayBeBound,
  tokenStateOf,
  successorOf,
} from './refreshTokens';
import {
  insertFamily,
  lockFamily,
  markAllEnded,
  markEnded,
  recordUse,
  replaceToken,
  type FamilyRow,
} from './repository';
import type { Secrets } from '../core/secrets';

export type EndReason =
  | 'logged_out'
  | 'logged_in_again'
  | 'reused'
  | 'expired'
  | 'user_disabled'
  | 'role_changed'
  | 'password_changed'
  | 'email_changed'
  | 'second_factor_required'
  | 'second_factor_changed'
  | 'taken_over'
  | 'ended_by_user';

export type Tokens = {
  accessToken: string;
  refreshToken: string;
  rememberMe: boolean;
  mustDo: RequiredAction | undefined;
};
export type NewSession = {
  userId: string;
  role: UserRole;
  rememberMe: boolean;
  now: Date;
  /** Browser and system in a few words. */
  device?: string;
  /** Of the key that each refresh must prove; without it the session is not bound. */
  thumbprint?: Buffer | undefined;
  mustDo?: RequiredAction | undefined;
};
export type Refreshed = { tokens: Tokens; userId: string };
/**
 * `reason` and ids are missing when the session does not exist; `endsNow` when this failed refresh ended it. With the
 * reason 'proof_required' the session stays live.
 */
export type RefreshFailure = { tokens?: never; userId?: string; familyId?: string; reason?: string; endsNow: boolean };

export type Sessions = {
  /** The session of an access token that is valid and whose session is live. */
  authenticate: Authenticate;
  /** Starts a session and returns its tokens. */
  start(tx: Tx, session: NewSession): Promise<Tokens>;
  /**
   * Exchanges a refresh token for new tokens, or returns why not. Every failure ends the session for good, except
   * 'proof_required'.
   * @param thumbprint of the key that the caller has proved
   */
  refresh(refreshToken: string, thumbprint: Buffer | undefined, now: Date): Promise<Refreshed | RefreshFailure>;
  /** The id of the session that an access or refresh token, valid or expired, belongs to. */
  familyOf(token: string): Promise<string | undefined>;
  endFamily(tx: Tx, familyId: string, reason: EndReason): Promise<void>;
  endAllOf(tx: Tx, userId: string, reason: EndReason, exceptFamilyId?: string): Promise<void>;
};

type Parts = { db: Db; bus: ChangeBus; clock: Clock; secrets: Secrets };

export function openSessions({ db, bus, clock, secrets }: Parts): Sessions {
  const { tokenKeys } = secrets;
  const accessTokens = createAccessTokens(tokenKeys);
  const live = watchSessions(db, bus);
  const noteFirstUse = createFirstUseTracker(db);

  const issue = createIssuer(accessTokens, live);
  const endFamily = async (tx: Tx, familyId: string, reason: EndReason, now: Date) => {
    if (await markEnded(tx, familyId, reason, now)) await live.end(tx, familyId);
  };
  const exchange = createExchange({ issue, endFamily, tokenKeys });

  return {
    async authenticate(accessToken) {
      const session = await accessTokens.read(accessToken, clock.now());
      if (!session || !(await live.has(session))) return undefined;
      await noteFirstUse(session);
      return session;
    },
    async start(tx, { userId, role, rememberMe, now, device = '', thumbprint, mustDo }) {
      const id = randomUUID();
      const refreshToken = firstRefreshToken(id, tokenKeys.successorKey);
      const tokenHash = hashRefreshToken(refreshToken);
      const times = { createdAt: now, refreshedAt: now };
      const keyThumbprint = thumbprint;
      const family = await insertFamily(tx, { id, userId, tokenHash, rememberMe, device, keyThumbprint, ...times });
      return issue(tx, family, { role, mustDo, refreshToken, now });
    },
    async refresh(refreshToken, thumbprint, now) {
      const familyId = familyIdOf(refreshToken, tokenKeys);
      if (!familyId) return { endsNow: false };
      return transact(db, (tx) => exchange(tx, familyId, { refreshToken, thumbprint }, now));
    },
    familyOf: async (token) => familyIdOf(token, tokenKeys) ?? (await accessTokens.readExpired(token))?.familyId,
    endFamily: (tx, familyId, reason) => endFamily(tx, familyId, reason, clock.now()),
    async endAllOf(tx, userId, reason, exceptFamilyId) {
      const familyIds = await markAllEnded(tx, userId, reason, clock.now(), exceptFamilyId);
      for (const familyId of familyIds) await live.end(tx, familyId);
    },
  };
}

type Issued = { role: UserRole; mustDo: RequiredAction | undefined; refreshToken: string; now: Date };
type Issue = (tx: Tx, family: FamilyRow, issued: Issued) => Promise<Tokens>;

const createIssuer =
  (accessTokens: ReturnType<typeof createAccessTokens>, live: LiveSessions): Issue =>
  async (tx, family, { role, mustDo, refreshToken, now }) => {
    const { id: familyId, userId, refreshNumber, rememberMe } = family;
    live.add(tx, { familyId, userId });
    const session: Session = { userId, role, familyId, refreshNumber, ...(mustDo && { mustDo }) };
    const accessToken = await accessTokens.issue(session, now, lastsUntil(family));
    return { accessToken, refreshToken, rememberMe, mustDo };
  };

type ExchangeParts = {
  issue: Issue;
  endFamily: (tx: Tx, familyId: string, reason: EndReason, now: Date) => Promise<void>;
  tokenKeys: Secrets['tokenKeys'];
};

type RefreshRequest = { refreshToken: string; thumbprint: Buffer | undefined };

/** A failure is returned, not thrown, so that the end of the session is committed. */
function createExchange({ issue, endFamily, tokenKeys }: ExchangeParts) {
  const wasStolen = createTheftCheck(tokenKeys);
  return async (tx: Tx, familyId: string, offered: RefreshRequest, now: Date): Promise<Refreshed | RefreshFailure> => {
    const { refreshToken, thumbprint } = offered;
    const family = await lockFamily(tx, familyId);
    if (!family) return { endsNow: false };
    const { userId, endedAt, endReason } = family;
    if (endedAt) return { userId, familyId, reason: endReason ?? '', endsNow: false };

    const refuse = async (reason: EndReason): Promise<RefreshFailure> => {
      await endFamily(tx, familyId, reason, now);
      return { userId, familyId, reason, endsNow: true };
    };
    const user = await findUser(tx, userId);
    if (!user?.isEnabled) return refuse('user_disabled');
    const standing = tokenStateOf(refreshToken, family, now);
    const isStolen = standing === 'reused' && wasStolen(refreshToken, family);
    if (standing !== 'expired' && !isStolen && !matchesDevice(family, thumbprint))
      return { userId, familyId, reason: 'proof_required', endsNow: false };
    if (standing === 'reused') await sendNotice(tx, user, { what: 'session_reused' }, now);
    if (standing === 'expired' || standing === 'reused') return refuse(standing);
    const mustDo = await findDuty(tx, user);
    const successor = successorOf(refreshToken, familyId, tokenKeys.successorKey);
    const hashes = { tokenHash: hashRefreshToken(successor), previousTokenHash: hashRefreshToken(refreshToken) };
    const bindTo = mayBeBound(family) ? thumbprint : undefined;
    const current = standing === 'newest' ? await replaceToken(tx, family, hashes, bindTo, now) : family;
    return { userId, tokens: await issue(tx, current, { role: user.role, mustDo, refreshToken: successor, now }) };
  };
}

const maxChecked = 10_000;

/**
 * Whether a replaced token is older than its session's binding. The check is slow, so its result is cached per token.
 */
function createTheftCheck(tokenKeys: Secrets['tokenKeys']) {
  const checked = new LRUCache<string, boolean>({ max: maxChecked });
  return (refreshToken: string, family: FamilyRow): boolean => {
    const key = hashRefreshToken(refreshToken).toString('base64');
    const known = checked.get(key);
    if (known !== undefined) return known;
    const isOlder = isOlderThanBinding(refreshToken, family, tokenKeys);
    if (family.boundTokenHash) checked.set(key, isOlder);
    return isOlder;
  };
}

const maxRecorded = 20_000;

/**
 * Marks a refresh as used at the first request with its access token, before the response; from then on the previous
 * refresh token is rejected. Concurrent requests wait for the first one's query; later ones make none.
 */
function createFirstUseTracker(db: Db) {
  const recorded = new Map<string, Promise<void>>();

  function note(key: string, { familyId, refreshNumber }: Session): Promise<void> {
    const recording = recordUse(db, familyId, refreshNumber).catch((error: unknown) => {
      recorded.delete(key);
      throw error;
    });
    recorded.set(key, recording);
    const [oldest] = recorded.keys();
    if (recorded.size > maxRecorded && oldest !== undefined) recorded.delete(oldest); // costs one more query if it returns
    return recording;
  }

  return async (session: Session): Promise<void> => {
    if (session.refreshNumber === 0) return; // the login's own tokens replaced nothing
    const key = `${session.familyId} ${session.refreshNumber}`;
    await (recorded.get(key) ?? note(key, session));
  };
}
