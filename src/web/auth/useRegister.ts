import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { answer, api } from '../server/client';
import { loginEmail } from './loginEmail';

/** Creates an account and goes to the login, with the email filled in. Rule: docs/rules/accounts.md, Registering */
export function useRegister(returnTo: string | undefined) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (registration: Schema<'Registration'>) => answer(api.POST('/auth/register', { body: registration })),
    onSuccess: ({ user: { email } }) => {
      loginEmail.set(email);
      return navigate({ to: '/login', search: { redirect: returnTo }, state: { said: authMessages.proofMailed } });
    },
    meta: authMessages.register,
  });
}
