import type { FastifyReply, FastifyRequest } from 'fastify';
import { authMessages } from '../../shared/authMessages';
import { loginForm, registrationForm } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import type { ShopTerritories } from '../../shared/usStates';
import { presentUser } from '../users/core/present';
import type { Config } from '../core/config';
import { continueAs } from '../db/core/fairPool';
import { refreshCookie } from '../http/contract/access';
import type { ContractApi } from '../http/contract/contract';
import { networkOf } from '../http/core/network';
import { Problem, unauthenticated } from '../http/core/problems';
import { accountRoutes } from './accountRoutes';
import { callerOf } from './caller';
import { bearerToken, clearSessionCookies, cookieTokens, setDeviceCookie, setSessionCookies } from './sessions/cookies';
import { linkRoutes } from './linkRoutes';
import { createProofs } from './sessions/proofs';
import { accountOf } from './core/attemptLimits';
import { login, logout, refresh, register, type SignedIn } from './service';
import type { TakeoverParts } from './takeover';

type Parts = TakeoverParts & {
  config: Pick<Config, 'publicUrl'>;
  settings: { get: () => Promise<ShopTerritories> };
};

export function authRoutes(api: ContractApi, parts: Parts): void {
  accountRoutes(api, parts);
  linkRoutes(api, parts);
  const { checkProof, giveNonce } = readProofs(parts);

  api.on(
    'login',
    async (call) => {
      const { body, request, reply, now } = call;
      const thumbprint = await checkProof(call);
      const signedIn = await continueAs(`login ${networkOf(request.ip)} ${accountOf(body.email)}`, () =>
        login(parts, body, cookieTokens(request), thumbprint, callerOf(request), now),
      );
      setSessionCookies(reply, signedIn.tokens);
      setDeviceCookie(reply, signedIn.deviceCookie);
      return answer(authMessages.login.success, signedIn);
    },
    { form: loginForm },
  );

  api.on(
    'register',
    async ({ body, request, now }) => {
      const user = await register(parts, body, callerOf(request), now);
      return { message: authMessages.register.success, data: { user: presentUser(user) } };
    },
    { form: async () => registrationForm(await parts.settings.get()) },
  );

  api.on('logout', async ({ request, reply }) => {
    const bearer = bearerToken(request);
    await logout(parts, [...(bearer ? [bearer] : []), ...cookieTokens(request)]);
    clearSessionCookies(reply);
    // not "storage": the saved catalog and other users' unsent edits stay; not "cookies": the known device stays
    reply.header('clear-site-data', '"cache"');
    return { message: authMessages.logout.success, data: {} };
  });

  api.on('refreshToken', async (call) => {
    const { body, request, reply, now } = call;
    const token = body?.refreshToken || request.cookies[refreshCookie];
    if (!token) throw unauthenticated();
    const thumbprint = await checkProof(call);
    const signedIn = await refresh(parts, token, thumbprint, request.log, now).catch((error: unknown) => {
      // other errors (database lost, proof missing) do not end the session, which another tab may still use
      if (error instanceof Problem && error.code === 'session_ended') clearSessionCookies(reply);
      throw error;
    });
    setSessionCookies(reply, signedIn.tokens);
    return answer('Session refreshed', signedIn);
  });

  api.on('getNonce', async (call) => {
    giveNonce(call);
    return { message: authMessages.nonce, data: {} };
  });
}

type Proven = { request: FastifyRequest; reply: FastifyReply; now: Date };

/** Checks proofs of possession; each response carries the nonce for the next proof. */
function readProofs({ secrets, config }: Parts) {
  const proofs = createProofs(secrets.nonceKey);
  const giveNonce = ({ reply, now }: Omit<Proven, 'request'>) => reply.header('dpop-nonce', proofs.nonceAt(now));
  /** @returns the thumbprint of the key that signed, or undefined without a proof */
  const checkProof = async ({ request, reply, now }: Proven): Promise<Buffer | undefined> => {
    const proof = request.headers['dpop'];
    if (proof === undefined) return undefined;
    giveNonce({ reply, now });
    const [path] = request.url.split('?');
    return proofs.check(String(proof), `${config.publicUrl.origin}${path}`, now);
  };
  return { checkProof, giveNonce };
}

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
