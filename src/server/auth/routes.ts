import type { FastifyRequest } from 'fastify';
import { authSays } from '../../shared/auth';
import { loginForm, registrationForm } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { refreshCookie } from '../http/access';
import type { ContractApi } from '../http/contract';
import { Problem, unauthenticated } from '../http/problems';
import { presentUser } from '../users/present';
import { bearerToken, clearSessionCookies, cookieTokens, setSessionCookies } from './cookies';
import { login, logout, refresh, register, type AuthParts, type Caller, type SignedIn } from './service';

export function authRoutes(api: ContractApi, parts: AuthParts): void {
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
      if (error instanceof Problem) clearSessionCookies(reply); // not when the database was away: the session goes on
      throw error;
    });
    setSessionCookies(reply, signedIn.tokens);
    return answer('Session refreshed', signedIn);
  });
}

const callerOf = ({ ip, log }: FastifyRequest): Caller => ({ address: ip, log });

const answer = (message: string, { user, tokens }: SignedIn): Schema<'AuthAnswer'> => ({
  message,
  data: { authResponse: { user: presentUser(user), jwt: tokens.accessToken, refreshToken: tokens.refreshToken } },
});
