import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { answer, api } from '../server/client';
import { ApiError } from '../server/errors';
import { personalKey } from '../server/queries';
import { session } from '../server/session';
import { signOutHere } from './passwordQueries';

/** Proves an address with the link's token. It may belong to the account signed in here. */
export function useProveEmail() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'EmailProof'>) => answer(api.POST('/auth/email/prove', { body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: personalKey(session.get()?.id ?? '') }),
    meta: { failure: authMessages.proveEmail.failure },
  });
}

/**
 * Creates an account with the link's address, replacing a stranger's. Then goes to the login, which shows the success
 * message.
 */
export function useTakeOver() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (body: Schema<'Takeover'>) => {
      const done = await answer(api.POST('/auth/take-over', { body }));
      await signOutHere();
      return done;
    },
    onSuccess: () => navigate({ to: '/login', state: { said: authMessages.takeOverAccount.success } }),
    meta: { failure: authMessages.takeOverAccount.failure },
  });
}

/** @returns the message when the link is opened by a visitor or in another account */
export const loginForLink = (error: unknown): string | undefined =>
  error instanceof ApiError && (error.status === 401 || error.code === 'forbidden')
    ? authMessages.loginForLink
    : undefined;

/** @returns the message that replaces the form when the link is no longer valid */
export const invalidLinkMessage = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'email_link_invalid' ? error.message : undefined;
