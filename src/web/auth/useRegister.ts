import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { answer, api } from '../server/client';
import { loginEmail } from './loginEmail';
import { logIn, useEnter } from './queries';

/**
 * Creates an account, logs in with it, and continues as a login does. If only the login failed, its page is next, with
 * the email filled in. Rule: docs/rules/accounts.md, Registering
 */
export function useRegister(returnTo: string | undefined) {
  const navigate = useNavigate();
  const enter = useEnter(returnTo);
  return useMutation({
    mutationFn: async (registration: Schema<'Registration'>) => {
      const { user } = await answer(api.POST('/auth/register', { body: registration }));
      const { email, password } = registration;
      const login = await logIn({ email, password, rememberMe: true }).catch(() => undefined);
      return { email: user.email, login };
    },
    onSuccess: ({ email, login }) => {
      if (login) return enter(login, true);
      loginEmail.set(email);
      return navigate({ to: '/login', search: { redirect: returnTo }, state: { said: authMessages.proofMailed } });
    },
    meta: authMessages.register,
  });
}
