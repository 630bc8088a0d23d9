import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { answer, api } from '../server/client';
import { session } from '../server/session';
import { loginEmail } from './loginEmail';

/** Asks for a link by mail. The login, to which it leads, says the sentence: a toast would be gone before it is read. */
export function useAskForReset() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Schema<'ResetLinkRequest'>) => answer(api.POST('/auth/reset/password', { body })),
    onSuccess: (_data, { email }) => {
      loginEmail.keep(email);
      return navigate({ to: '/login', state: { said: authMessages.askForReset.success } });
    },
    meta: { failure: authMessages.askForReset.failure },
  });
}

/** Before a login that somebody else may have left open here, or that has ended by what was just done. */
export async function signOutHere(): Promise<void> {
  if (!session.get()) return;
  await answer(api.POST('/auth/logout', { body: {} })).catch(() => undefined); // it has ended already, or will
  session.clear();
}

/** Sets the password by the link's token. It ends all sessions of the account, so this browser signs out as well. */
export function useResetPassword() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: Schema<'NewPassword'>) => {
      const done = await answer(api.POST('/auth/reset/password', { body }));
      await signOutHere();
      return done;
    },
    onSuccess: () => navigate({ to: '/login', state: { said: authMessages.resetPassword.success } }),
    meta: { failure: authMessages.resetPassword.failure },
  });
}
