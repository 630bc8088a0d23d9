import { useMutation } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { authSays, landingPage } from '../../shared/auth';
import type { Schema } from '../../shared/contract';
import { accessToken } from '../api/accessToken';
import { ApiError } from '../api/apiError';
import { answer, api } from '../api/client';
import { session } from '../api/session';
import { takeIntention } from '../cart/intention';
import { useCartChange } from '../cart/queries';

/**
 * Signs in, does what the visitor wanted to do before, and goes on.
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
    onSuccess: ({ authResponse: { user, jwt } }) => {
      session.set(user);
      accessToken.set(jwt);
      const item = takeIntention();
      if (item) addToCart({ userId: user.id, item });
      return router.navigate({ href: wayBack ?? landingPage(user.role) });
    },
    meta: authSays.login,
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

export function useLogout() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => answer(api.POST('/auth/logout', { body: {} })),
    onSuccess: () => {
      session.clear();
      return navigate({ to: '/' });
    },
    meta: authSays.logout,
  });
}
