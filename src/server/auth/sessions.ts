/**
 * A session is the chain of refresh tokens that began at one login (a "family"). Each refresh replaces the token; a
 * token that comes a second time, other than from racing tabs or after a lost answer, ends the whole session.
 * Access tokens are accepted without asking the database, since every process is notified of ended sessions.
 * Rule: docs/rules/accounts.md, Sessions
 */
import { randomUUID } from 'node:crypto';
import { findUser } from '../account/service';
import type { Clock } from '../clock';
import type { ChangeBus } from '../db/changeBus';
import type { UserRole } from '../db/schema';
import { transact, type Db, type Tx } from '../db/transact';
import type { Authenticate, MustDo, Session } from '../http/access';
import { createAccessTokens } from './accessTokens';
import { findDuty } from './duties';
import { watchEndedSessions } from './endedSessions';
import { sendNotice } from './notices';
import {
  familyNamedBy,
  firstRefreshToken,
  hashRefreshToken,
  lastsUntil,
  standingOf,
  successorOf,
} from './refreshTokens';
import { insertFamily, lockFamily, markAllEnded, markEnded, noteUse, replaceToken, type FamilyRow } from './repository';
import type { Secrets } from './secrets';

export type EndReason =
  | 'logged_out'
  | 'logged_in_again'
  | 'reused'
  | 'expired'
  | 'user_disabled'
  | 'role_changed'
  | 'password_changed'
  | 'second_factor_required'
  | 'ended_by_user';

export type Tokens = { accessToken: string; refreshToken: string; rememberMe: boolean; mustDo: MustDo | undefined };
export type NewSession = {
  userId: string;
  role: UserRole;
  rememberMe: boolean;
  now: Date;
  /** Browser and system in a few words. */
  device?: string;
  mustDo?: MustDo | undefined;
};
export type Refreshed = { tokens: Tokens; userId: string };
/** `reason` and ids are missing when there is no such session; `endsNow` when this very refusal ended it. */
export type Refused = { tokens?: never; userId?: string; familyId?: string; reason?: string; endsNow: boolean };

export type Sessions = {
  /** Whose access token this is, if it is good and its session goes on. */
  authenticate: Authenticate;
  /** Begins a session with the tokens that it returns. */
  start(tx: Tx, session: NewSession): Promise<Tokens>;
  /** Exchanges a refresh token for new tokens, or says why not; a session that is refused has ended for good. */
  refresh(refreshToken: string, now: Date): Promise<Refreshed | Refused>;
  /** The id of the session that an access or refresh token, good or expired, belongs to. */
  familyOf(token: string): Promise<string | undefined>;
  endFamily(tx: Tx, familyId: string, reason: EndReason): Promise<void>;
  endAllOf(tx: Tx, userId: string, reason: EndReason, exceptFamilyId?: string): Promise<void>;
};

type Parts = { db: Db; bus: ChangeBus; clock: Clock; secrets: Secrets };

/** @returns the sessions, once those that ended lately are known */
export async function openSessions({ db, bus, clock, secrets }: Parts): Promise<Sessions> {
  const accessTokens = createAccessTokens(secrets.accessKey);
  const ended = await watchEndedSessions(db, bus, clock);
  const noteFirstUse = createFirstUseNotes(db);

  const issue = createIssuer(accessTokens);
  const endFamily = async (tx: Tx, familyId: string, reason: EndReason, now: Date) => {
    if (await markEnded(tx, familyId, reason, now)) await ended.add(tx, familyId);
  };
  const exchange = createExchange({ issue, endFamily, successorKey: secrets.successorKey });

  return {
    async authenticate(accessToken) {
      const session = await accessTokens.read(accessToken, clock.now());
      if (!session || (await ended.has(session.familyId))) return undefined;
      await noteFirstUse(session);
      return session;
    },
    async start(tx, { userId, role, rememberMe, now, device = '', mustDo }) {
      const id = randomUUID();
      const refreshToken = firstRefreshToken(id, secrets.successorKey);
      const tokenHash = hashRefreshToken(refreshToken);
      const times = { createdAt: now, refreshedAt: now };
      const family = await insertFamily(tx, { id, userId, tokenHash, rememberMe, device, ...times });
      return issue(family, { role, mustDo, refreshToken, now });
    },
    async refresh(refreshToken, now) {
      const familyId = familyNamedBy(refreshToken, secrets.successorKey);
      if (familyId === undefined) return { endsNow: false };
      return transact(db, (tx) => exchange(tx, familyId, refreshToken, now));
    },
    async familyOf(token) {
      return familyNamedBy(token, secrets.successorKey) ?? (await accessTokens.readExpired(token))?.familyId;
    },
    endFamily: (tx, familyId, reason) => endFamily(tx, familyId, reason, clock.now()),
    async endAllOf(tx, userId, reason, exceptFamilyId) {
      const familyIds = await markAllEnded(tx, userId, reason, clock.now(), exceptFamilyId);
      for (const familyId of familyIds) await ended.add(tx, familyId);
    },
  };
}

type Issued = { role: UserRole; mustDo: MustDo | undefined; refreshToken: string; now: Date };
type Issue = (family: FamilyRow, issued: Issued) => Promise<Tokens>;

const createIssuer =
  (accessTokens: ReturnType<typeof createAccessTokens>): Issue =>
  async (family, { role, mustDo, refreshToken, now }) => {
    const { id: familyId, userId, refreshNumber, rememberMe } = family;
    const session: Session = { userId, role, familyId, refreshNumber, ...(mustDo && { mustDo }) };
    const accessToken = await accessTokens.issue(session, now, lastsUntil(family));
    return { accessToken, refreshToken, rememberMe, mustDo };
  };

type ExchangeParts = {
  issue: Issue;
  endFamily: (tx: Tx, familyId: string, reason: EndReason, now: Date) => Promise<void>;
  successorKey: Secrets['successorKey'];
};

/** A refusal is returned, not thrown: the end of the session is committed with it. */
const createExchange =
  ({ issue, endFamily, successorKey }: ExchangeParts) =>
  async (tx: Tx, familyId: string, refreshToken: string, now: Date): Promise<Refreshed | Refused> => {
    const family = await lockFamily(tx, familyId);
    if (!family) return { endsNow: false };
    const { userId, endedAt, endReason } = family;
    if (endedAt) return { userId, familyId, reason: endReason ?? '', endsNow: false };

    const refuse = async (reason: EndReason): Promise<Refused> => {
      await endFamily(tx, familyId, reason, now);
      return { userId, familyId, reason, endsNow: true };
    };
    const user = await findUser(tx, userId);
    if (!user?.isEnabled) return refuse('user_disabled');
    const standing = standingOf(refreshToken, family, now);
    if (standing === 'reused') await sendNotice(tx, user, { what: 'session_reused' }, now);
    if (standing === 'expired' || standing === 'reused') return refuse(standing);
    const successor = successorOf(refreshToken, familyId, successorKey);
    const current = standing === 'newest' ? await replaceToken(tx, family, hashRefreshToken(successor), now) : family;
    const mustDo = await findDuty(tx, user);
    return { userId, tokens: await issue(current, { role: user.role, mustDo, refreshToken: successor, now }) };
  };

const maxNoted = 20_000;

/**
 * Marks a refresh as used at the first request with its access token, before the answer; from then on the former
 * refresh token is refused. Later requests with the same access token cost no query.
 */
function createFirstUseNotes(db: Db) {
  const noted = new Set<string>();
  return async ({ familyId, refreshNumber }: Session): Promise<void> => {
    const key = `${familyId} ${refreshNumber}`;
    if (refreshNumber === 0 || noted.has(key)) return; // 0: the login's own tokens, which replaced nothing
    await noteUse(db, familyId, refreshNumber);
    noted.add(key);
    const [oldest] = noted;
    if (noted.size > maxNoted && oldest !== undefined) noted.delete(oldest); // and if it comes again: one query more
  };
}
