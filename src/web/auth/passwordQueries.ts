import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { answer, api } from '../server/client';
import { session } from '../server/session';
import { loginEmail } from './loginEmail';

/** Requests a reset link by email. The login page shows the message, because a toast would disappear too soon. */
export function useRequestResetLink() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Schema<'ResetLinkRequest'>) => answer(api.POST('/auth/reset/password', { body })),
    onSuccess: (_data, { email }) => {
      loginEmail.set(email);
      return navigate({ to: '/login', state: { said: authMessages.askForReset.success } });
    },
    meta: { failure: authMessages.askForReset.failure },
  });
}

/** Logs out before another login: someone may be signed in here, or the request has just ended the session. */
export async function signOutHere(): Promise<void> {
  if (!session.get()) return;
  await answer(api.POST('/auth/logout', { body: {} })).catch(() => undefined); // the session has ended already, or will
  session.clear();
}

/** Sets the password with the link's token. This ends all sessions of the account, so this browser logs out too. */
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

/** Creates the account of an invitation. Someone else may be signed in here, so this browser logs out. */
export function useAcceptInvitation() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: Schema<'NewPassword'>) => {
      const done = await answer(api.POST('/auth/invitation', { body }));
      await signOutHere();
      return done;
    },
    onSuccess: ({ email }) => {
      loginEmail.set(email);
      return navigate({ to: '/login', state: { said: authMessages.acceptInvitation.success } });
    },
    meta: { failure: authMessages.acceptInvitation.failure },
  });
}
