/**
 * Access control. `onRequest` decides from the token alone, before the rest of the request is read: a path or body proves
 * nothing about the caller. Rule: docs/rules/wire.md, Who may call
 */
import type { FastifyRequest } from 'fastify';
import { authMessages } from '../../../shared/authMessages';
import type { UserRole } from '../../db/schema/tables';
import { uuidPattern } from '../../core/ids';
import { forbidden, notFound, Problem, unauthenticated } from '../core/problems';

/** What a user must do before anything else. Rule: docs/rules/accounts.md, Duties */
export type RequiredAction = 'change_password' | 'set_up_second_factor';

export type Session = {
  userId: string;
  role: UserRole;
  /** The refresh token family of this access token, and the number of the refresh that issued it. */
  familyId: string;
  refreshNumber: number;
  mustDo?: RequiredAction;
};

/** The author for the audit log; null for the shop itself or a visitor. */
export type Actor = { userId: string | null; requestId: string | null };

/** @returns the token's session, or undefined when the token is invalid or expired or the session has ended */
export type Authenticate = (accessToken: string) => Promise<Session | undefined>;

export type Role = 'visitor' | 'customer' | 'admin' | 'owner';
export type AccessRule = {
  roles: readonly Role[];
  /** Names of path parameters that must be the caller's own user id. */
  own: readonly string[];
  /** Whether users with an unfinished duty (`mustDo`) may call it. */
  whileUnfinished: boolean;
  /** Login, refresh and logout must work with an expired Authorization header. */
  ignoresAuthorization: boolean;
};
export type Admission = { authenticate: Authenticate; publicOrigin: string };

export const accessCookie = '__Host-access';
export const refreshCookie = '__Host-refresh';

const roleOf: Record<UserRole, Role> = { ROLE_CUSTOMER: 'customer', ROLE_ADMIN: 'admin', ROLE_OWNER: 'owner' };
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * @returns the caller's session, undefined for a visitor
 * @throws Problem 401 unauthenticated, 403 forbidden, password_change_required, second_factor_setup_required or
 *   cross_site_request, 404 not_found for another user's id
 */
export async function admit(
  request: FastifyRequest,
  rule: AccessRule,
  admission: Admission,
): Promise<Session | undefined> {
  const mayVisit = rule.roles.includes('visitor');
  const isNobody = rule.ignoresAuthorization || (mayVisit && mayBeForged(request));
  const session = isNobody ? undefined : await readSession(request, mayVisit, admission.authenticate);
  if (!session && !mayVisit) throw unauthenticated();
  if (session && !rule.roles.includes(roleOf[session.role])) throw forbidden();
  if (session?.mustDo && !mayVisit && !rule.whileUnfinished) throw unfinished[session.mustDo]();
  if (!safeMethods.has(request.method)) requireOwnOrigin(request, admission.publicOrigin);
  if (session && mayBeForged(request)) throw crossSite();
  if (session) requireOwnIds(request, rule.own, session.userId);
  return session;
}

const unfinished: Record<RequiredAction, () => Problem> = {
  change_password: () => new Problem(403, 'password_change_required', authMessages.passwordChangeRequired),
  set_up_second_factor: () => new Problem(403, 'second_factor_setup_required', authMessages.secondFactorSetupRequired),
};

/** The Authorization header decides alone; without it the cookie does, and an expired cookie means a visitor. */
async function readSession(request: FastifyRequest, mayVisit: boolean, authenticate: Authenticate) {
  const header = request.headers.authorization;
  if (header !== undefined) {
    const token = /^Bearer ([\w.-]{1,4096})$/i.exec(header.slice(0, 5000))?.[1];
    const session = token === undefined ? undefined : await authenticate(token);
    if (!session) throw unauthenticated();
    return session;
  }
  const cookie = request.cookies[accessCookie];
  if (!cookie) return undefined;
  const session = await authenticate(cookie);
  if (!session && !mayVisit) throw unauthenticated();
  return session;
}

/** Browsers state where a request comes from, and another site's page can neither omit nor forge that. */
function requireOwnOrigin({ headers }: FastifyRequest, publicOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if ((site !== undefined && site !== 'same-origin') || (origin !== undefined && origin !== publicOrigin))
    throw crossSite();
}

/**
 * A change authenticated by cookie without any origin headers. Operations open to visitors treat it as a visitor's call.
 * API clients send a bearer token instead.
 */
const mayBeForged = ({ method, headers }: FastifyRequest): boolean =>
  !safeMethods.has(method) &&
  headers.authorization === undefined &&
  headers.origin === undefined &&
  headers['sec-fetch-site'] === undefined;

const crossSite = () => new Problem(403, 'cross_site_request', "This request didn't come from the shop");

/** Another user's id gets the same error as a missing one. A malformed id is left to the contract's check. */
function requireOwnIds(request: FastifyRequest, names: readonly string[], userId: string): void {
  const params = request.params as Record<string, string>;
  for (const name of names) {
    const value = params[name] ?? '';
    if (value.length === 36 && uuidPattern.test(value) && value.toLowerCase() !== userId) throw notFound();
  }
}
