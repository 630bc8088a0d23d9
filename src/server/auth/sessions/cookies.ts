/**
 * The two session cookies, and the known-device cookie, which stays after logout. `__Host-` keeps other subdomains and
 * paths from setting them; HttpOnly keeps scripts from reading them. The access cookie is Lax, because the payment page
 * redirects back from another site.
 * Rule: docs/rules/accounts.md, Tokens and cookies
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formLoginCookie } from '../../../shared/deviceNames';
import { accessCookie, refreshCookie } from '../../http/contract/access';
import { knownDeviceCookie, type Holder, type DeviceSecrets } from './knownDevices';
import type { Tokens } from './sessions';

const deviceCookie = '__Host-known-device';
const daySeconds = 24 * 60 * 60;
const sevenDaysSeconds = 7 * daySeconds;
const yearSeconds = 365 * daySeconds;
const always = { path: '/', secure: true, httpOnly: true } as const;
const access = { ...always, sameSite: 'lax' } as const;
const refresh = { ...always, sameSite: 'strict' } as const;

/** Without rememberMe they are session cookies. */
export function setSessionCookies(reply: FastifyReply, { accessToken, refreshToken, rememberMe }: Tokens): void {
  const lifetime = rememberMe ? { maxAge: sevenDaysSeconds } : {};
  reply.setCookie(accessCookie, accessToken, { ...access, ...lifetime });
  reply.setCookie(refreshCookie, refreshToken, { ...refresh, ...lifetime });
}

/**
 * Tells the app, which starts on a later page, that the user logged in by a form without JavaScript, and for how long.
 * Scripts can read it: it identifies no one and grants no access.
 */
export function setFormLoginCookie(reply: FastifyReply, rememberMe: boolean): void {
  const lifetime = rememberMe ? { maxAge: sevenDaysSeconds } : {};
  const value = rememberMe ? 'remembered' : 'until_closed';
  reply.setCookie(formLoginCookie, value, { path: '/', secure: true, sameSite: 'strict', ...lifetime });
}

export function clearSessionCookies(reply: FastifyReply): void {
  reply.clearCookie(accessCookie, access).clearCookie(refreshCookie, refresh);
}

/** Long-lived regardless of rememberMe, since it grants no access. */
export function setDeviceCookie(reply: FastifyReply, cookie: string): void {
  reply.setCookie(deviceCookie, cookie, { ...always, sameSite: 'strict', maxAge: yearSeconds });
}

/** Makes this browser known again after a change that made all devices of the account unknown. */
export const createRememberDevice =
  (secrets: DeviceSecrets) =>
  ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }, user: Holder): void =>
    setDeviceCookie(reply, knownDeviceCookie(secrets, readDeviceCookie(request), user));

/** The known-device cookie, unchecked. */
export const readDeviceCookie = ({ cookies }: FastifyRequest): string | undefined => cookies[deviceCookie];

/** The tokens sent as cookies, unchecked. */
export const cookieTokens = ({ cookies }: FastifyRequest): string[] =>
  [cookies[accessCookie], cookies[refreshCookie]].filter((token) => token !== undefined && token !== '') as string[];

/** The token of the Authorization header, unchecked. */
export function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer ([\w.-]{1,4096})$/i.exec(headers.authorization?.slice(0, 5000) ?? '')?.[1];
}
