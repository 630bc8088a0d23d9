import type { FastifyRequest } from 'fastify';
import { authSays } from '../../shared/authSays';
import { forgotPasswordForm, loginForm, registrationForm, resetPasswordForm } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { presentUser } from '../account/present';
import { refreshCookie } from '../http/access';
import type { ContractApi } from '../http/contract';
import { Problem, unauthenticated } from '../http/problems';
import { accountRoutes } from './accountRoutes';
import { bearerToken, clearSessionCookies, cookieTokens, setSessionCookies } from './cookies';
import { describeDevice } from './device';
import { askForReset, resetPassword } from './passwordReset';
import { login, logout, refresh, register, type AuthParts, type Caller, type SignedIn } from './service';

export function authRoutes(api: ContractApi, parts: AuthParts): void {
  accountRoutes(api, parts);

  api.on(
    'login',
    async ({ body, request, reply, now }) => {
      const signedIn = await login(parts, body, cookieTokens(request), callerOf(request), now);
      setSessionCookies(reply, signedIn.tokens);
      return answer(authSays.login.success, signedIn);
    },
    { form: loginForm },
  );

  api.on(
    'register',
    async ({ body, request, now }) => {
      const user = await register(parts, body, callerOf(request), now);
      return { message: authSays.register.success, data: { user: presentUser(user) } };
    },
    { form: registrationForm },
  );

  api.on('logout', async ({ request, reply }) => {
    const bearer = bearerToken(request);
    await logout(parts, [...(bearer ? [bearer] : []), ...cookieTokens(request)]);
    clearSessionCookies(reply);
    // never "storage": the saved catalog and other users' unsent edits stay
    reply.header('clear-site-data', '"cache", "cookies"');
    return { message: authSays.logout.success, data: {} };
  });

  api.on('refreshToken', async ({ body, request, reply, now }) => {
    const token = body?.refreshToken || request.cookies[refreshCookie];
    if (!token) throw unauthenticated();
    const signedIn = await refresh(parts, token, request.log, now).catch((error: unknown) => {
      if (error instanceof Problem) clearSessionCookies(reply); // not after a lost database: the session continues
      throw error;
    });
    setSessionCookies(reply, signedIn.tokens);
    return answer('Session refreshed', signedIn);
  });

  api.on(
    'resetPassword',
    async ({ db, body, request, now }) => {
      const caller = callerOf(request);
      if ('token' in body) await resetPassword(parts, body, caller, now);
      else await askForReset(db, body, caller, now);
      return { message: authSays['token' in body ? 'resetPassword' : 'askForReset'].success, data: {} };
    },
    { form: (body) => (isReset(body) ? resetPasswordForm : forgotPasswordForm) },
  );
}

/** Whether the body comes from the page behind the link, and not from the one that asks for it. */
const isReset = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && ('token' in body || 'password' in body);

const callerOf = ({ ip, log, headers }: FastifyRequest): Caller => ({
  address: ip,
  device: describeDevice(headers['user-agent']),
  log,
});

const answer = (message: string, { user, tokens }: SignedIn): Schema<'AuthAnswer'> => ({
  message,
  data: {
    authResponse: {
      user: presentUser(user),
      jwt: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      mustDo: tokens.mustDo ?? null,
    },
  },
});
