import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dutyPages, landingPage } from '../../shared/auth';
import { authMessages } from '../../shared/authMessages';
import type { DataOf, Schema } from '../../shared/contract';
import { ApiError, isRejection } from '../server/errors';
import { answer, api } from '../server/client';
import { savePendingLogout, sendProven } from '../server/send';
import { session } from '../server/session';
import { addIntentions } from '../cart/queries';
import { outbox } from '../outbox/outbox';
import { reachability } from '../server/reachability';
import { wipeAnswersOf } from '../device/answers';
import { beginSession } from './beginSession';
import { isLogoutAsked } from './logoutGuard';
import { logoutQuestion } from './logoutQuestion';
import { clearLifetime } from './rememberMe';

/** In the same chunk as the login, because each chunk's name is in the first load. */
export { takeFormLogin } from './formLogin';

/** The error code that requests the login's second step. */
export const secondFactorRequired = 'second_factor_required';

/** The error code of a wrong email or password. */
export const invalidCredentials = 'invalid_credentials';

/** @throws ApiError when the login is rejected, or the browser keeps no cookies */
export async function logIn(credentials: Schema<'Credentials'>): Promise<Schema<'AuthResponse'>> {
  if (!navigator.cookieEnabled) throw new ApiError(0, { message: authMessages.noCookies });
  const { authResponse } = (await answer(api.POST('/auth/login', { body: credentials, fetch: sendProven }))) as Partial<
    DataOf<'login'>
  >;
  if (!authResponse?.user) throw new ApiError(0, { message: authMessages.noUser });
  return authResponse;
}

/**
 * Starts the session of a login, adds what the visitor had put into the cart, and continues. Back doesn't return to the
 * form.
 * @param returnTo the page that required the login
 */
export function useEnter(returnTo: string | undefined) {
  const router = useRouter();
  const cache = useQueryClient();
  return async (authResponse: Schema<'AuthResponse'>, rememberMe: boolean) => {
    const { user, mustDo } = authResponse;
    beginSession(authResponse, rememberMe);
    const href = returnTo ?? landingPage(user.role);
    if (!mustDo) {
      addIntentions(cache, user.id);
      return router.navigate({ href, replace: true });
    }
    const search = { redirect: href };
    await router.navigate({ to: dutyPages[mustDo], search, state: { isDuty: true }, replace: true });
    return addIntentions(cache, user.id); // they wait in the outbox until the duty is done
  };
}

export function useLogin(returnTo: string | undefined) {
  const enter = useEnter(returnTo);
  return useMutation({
    mutationFn: logIn,
    onSuccess: (authResponse, { rememberMe }) => enter(authResponse, rememberMe),
    meta: { ...authMessages.login, shownOnPage: [secondFactorRequired, invalidCredentials] },
  });
}

/**
 * A server-rendered page for visitors is the same for everyone: signed-in users are redirected once the app has loaded.
 * (The route's guard ran on the server, without a session.)
 * @param returnTo the page that required the login
 */
export function useLeaveSignedIn(returnTo: string | undefined): void {
  const router = useRouter();
  useEffect(() => {
    const user = session.get();
    if (user && !isTyping()) void router.navigate({ href: returnTo ?? landingPage(user.role), replace: true });
    // only on mount: a login on this page redirects by itself
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

/** Whether the user has started to fill in a form, for example on a server-rendered page. */
function isTyping(): boolean {
  const { activeElement: field } = document;
  return field instanceof HTMLInputElement && field.value !== '';
}

/** Logs out, after asking about an unsaved form and unsent changes. */
export function useLogout() {
  const { mutate: logOut } = useLogOutNow();
  const proceed = async () => {
    await outbox.read().catch(() => undefined); // the chunk failed to load: then nothing is deleted either
    const user = session.get();
    if (user && (outbox.countUnsent(user.id) > 0 || (await hasIntent(user.id)))) logoutQuestion.ask(user.id);
    else logOut();
  };
  const mutate = () => void (isLogoutAsked(() => void proceed()) || proceed());
  return { mutate };
}

/** Whether an order is waiting on this device. */
const hasIntent = async (userId: string): Promise<boolean> =>
  import('../waiting/savedIntent').then(({ findIntent }) => findIntent(userId)).then(Boolean, () => false);

/** Logs out and deletes the user's data from this device. If the server can't end the session now, the logout is sent later. */
export function useLogOutNow() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const user = session.get();
      if (user) await outbox.forget(user.id); // discarded changes must not be sent while the session ends
      if (!(await tryEndSession())) savePendingLogout();
      if (user) await wipe(user.id);
    },
    onSuccess: () => navigate({ to: '/' }),
    meta: authMessages.logout,
  });
}

/**
 * Deletes everything of the user on this device, including unsent changes, in every tab. @returns when it is deleted
 */
async function wipe(userId: string): Promise<void> {
  session.clear(true); // first, so that no tab saves more data of this user
  clearLifetime();
  const keyDeleted = import('../server/proof').then(({ clearKey }) => clearKey());
  await Promise.allSettled([outbox.forget(userId), wipeAnswersOf(userId), keyDeleted]);
}

const logoutTimeoutMs = 2500;

/** @returns false when the server failed, was unreachable, or took too long */
async function tryEndSession(): Promise<boolean> {
  if (!reachability.isOnline()) return false;
  try {
    await answer(api.POST('/auth/logout', { body: {}, signal: AbortSignal.timeout(logoutTimeoutMs) }));
    return true;
  } catch (error) {
    if (isRejection(error)) throw error;
    return false;
  }
}
