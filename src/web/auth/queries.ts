import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dutyPages, landingPage } from '../../shared/auth';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
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

/** In one part with the login: each part's name is in the first load. */
export { takeFormLogin } from './formLogin';

/** The code of the refusal that asks for the login's second step. */
export const secondFactorRequired = 'second_factor_required';

/**
 * Signs in, does what the visitor wanted to do before, and goes on. Back does not lead to the login again.
 * @param wayBack the page that asked for the login
 */
export function useLogin(wayBack: string | undefined) {
  const router = useRouter();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: Schema<'Credentials'>) => {
      if (!navigator.cookieEnabled) throw new ApiError(0, { message: authMessages.noCookies });
      const data = await answer(api.POST('/auth/login', { body: credentials, fetch: sendProven }));
      const { authResponse } = data as Partial<typeof data>;
      if (!authResponse?.user) throw new ApiError(0, { message: authMessages.noUser });
      return data;
    },
    onSuccess: async ({ authResponse }, { rememberMe }) => {
      const { user, mustDo } = authResponse;
      beginSession(authResponse, rememberMe);
      const href = wayBack ?? landingPage(user.role);
      if (!mustDo) {
        addIntentions(cache, user.id);
        return router.navigate({ href, replace: true });
      }
      const search = { redirect: href };
      await router.navigate({ to: dutyPages[mustDo], search, state: { isDuty: true }, replace: true });
      return addIntentions(cache, user.id); // they wait in the outbox until the duty is done
    },
    meta: { ...authMessages.login, asksFor: secondFactorRequired },
  });
}

/**
 * A page for visitors that the server drew is the same for everybody: who is signed in goes on as soon as the app has
 * come. (The guard of the route has run in the server then.)
 * @param wayBack the page that asked for the login
 */
export function useLeaveSignedIn(wayBack: string | undefined): void {
  const router = useRouter();
  useEffect(() => {
    const user = session.get();
    if (user && !isTyping()) void router.navigate({ href: wayBack ?? landingPage(user.role), replace: true });
    // when the page begins: a login on it goes on by itself
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

/** Whether somebody has begun to fill in a form, as of a page that the server drew. */
function isTyping(): boolean {
  const { activeElement: field } = document;
  return field instanceof HTMLInputElement && field.value !== '';
}

/** Signs out, after asking about a form that was not saved, and about changes that were not sent. */
export function useLogout() {
  const { mutate: logOut } = useLogOutNow();
  const goOn = async () => {
    await outbox.read().catch(() => undefined); // its part did not come: then nothing is deleted either
    const user = session.get();
    if (user && (outbox.countUnsent(user.id) > 0 || (await hasIntent(user.id)))) logoutQuestion.ask(user.id);
    else logOut();
  };
  const mutate = () => void (isLogoutAsked(() => void goOn()) || goOn());
  return { mutate };
}

/** Whether an order waits on this device. */
const hasIntent = async (userId: string): Promise<boolean> =>
  import('../waiting/savedIntent').then(({ findIntent }) => findIntent(userId)).then(Boolean, () => false);

/** Signs out and leaves nothing of the user on this device. A server that cannot do it now hears of it later. */
export function useLogOutNow() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const user = session.get();
      if (user) await outbox.forget(user.id); // what is given up is not sent while the session ends
      if (!(await endsSession())) savePendingLogout();
      if (user) await wipe(user.id);
    },
    onSuccess: () => navigate({ to: '/' }),
    meta: authMessages.logout,
  });
}

/** Takes all that the user left off this device, unsent changes too, in every tab. @returns when it is gone */
async function wipe(userId: string): Promise<void> {
  session.clear(true); // first, so that no tab saves more data of this user
  clearLifetime();
  const keyGoes = import('../server/proof').then(({ clearKey }) => clearKey());
  await Promise.allSettled([outbox.forget(userId), wipeAnswersOf(userId), keyGoes]);
}

const logoutWaitsMs = 2500;

/** @returns false when the server could not do it, was not there, or took too long to say so */
async function endsSession(): Promise<boolean> {
  if (!reachability.isOnline()) return false;
  try {
    await answer(api.POST('/auth/logout', { body: {}, signal: AbortSignal.timeout(logoutWaitsMs) }));
    return true;
  } catch (error) {
    if (isRejection(error)) throw error;
    return false;
  }
}
