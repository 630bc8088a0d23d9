import { useMutation } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { authSays, landingPage } from '../../shared/auth';
import type { Schema } from '../../shared/contract';
import { accessToken } from '../api/accessToken';
import { ApiError, isNoConnection } from '../api/apiError';
import { answer, api } from '../api/client';
import { dutyPages } from '../api/duties';
import { oweLogout } from '../api/owedLogout';
import { session } from '../api/session';
import { takeIntention } from '../cart/intention';
import { useCartChange } from '../cart/queries';
import { outbox } from '../offline/outbox';
import { wipeAllOf } from '../offline/wipe';
import { isLogoutAsked } from './logoutGuard';
import { logoutQuestion } from './logoutQuestion';

/** The code of the refusal that asks for the login's second step. */
export const secondFactorRequired = 'second_factor_required';

/**
 * Signs in, does what the visitor wanted to do before, and goes on. Back does not lead to the login again.
 * @param wayBack the page that asked for the login
 */
export function useLogin(wayBack: string | undefined) {
  const router = useRouter();
  const { mutate: addToCart } = useCartChange('addCartItem');
  return useMutation({
    mutationFn: async (credentials: Schema<'Credentials'>) => {
      const data = await answer(api.POST('/auth/login', { body: credentials }));
      const { authResponse } = data as Partial<typeof data>;
      if (!authResponse?.user) throw new ApiError(0, { message: authSays.noUser });
      return data;
    },
    onSuccess: ({ authResponse: { user, jwt, mustDo } }) => {
      session.set(user);
      accessToken.set(jwt);
      if (mustDo)
        return router.navigate({
          to: dutyPages[mustDo],
          search: { redirect: wayBack ?? landingPage(user.role) },
          state: { isDuty: true },
          replace: true,
        });
      const item = takeIntention();
      if (item) addToCart({ userId: user.id, item });
      return router.navigate({ href: wayBack ?? landingPage(user.role), replace: true });
    },
    meta: { ...authSays.login, asksFor: secondFactorRequired },
  });
}

/** Makes an account and goes to the login, with the email filled in. Source: decisions §2 */
export function useRegister(wayBack: string | undefined) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (registration: Schema<'Registration'>) => answer(api.POST('/auth/register', { body: registration })),
    onSuccess: ({ user: { email } }) => navigate({ to: '/login', search: { redirect: wayBack }, state: { email } }),
    meta: authSays.register,
  });
}

/** A dialog that opens above the menu that asked for it is closed together with the menu. */
const menuClosesWithinMs = 100;

/** Signs out, after asking about a form that was not saved, and about changes that were not sent. */
export function useLogout() {
  const { mutate: logOut } = useLogOutNow();
  const goOn = () => {
    const user = session.get();
    if (user && countUnsent(user.id) > 0) setTimeout(logoutQuestion.ask, menuClosesWithinMs);
    else logOut();
  };
  const mutate = () => void (isLogoutAsked(goOn) || goOn());
  return { mutate };
}

/** @returns how many of a user's changes are on this device alone, refused ones included */
export function countUnsent(userId: string): number {
  return outbox.waiting(userId).length + outbox.refused(userId).length;
}

/** Signs out and leaves nothing of the user on this device. Without a connection the server hears of it later. */
export function useLogOutNow() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const user = session.get();
      if (user) await outbox.forget(user.id); // what is given up is not sent while the session ends
      await answer(api.POST('/auth/logout', { body: {} })).catch((error: unknown) => {
        if (!isNoConnection(error)) throw error;
        oweLogout();
      });
      if (user) await wipeAllOf(user.id);
    },
    onSuccess: () => navigate({ to: '/' }),
    meta: authSays.logout,
  });
}
