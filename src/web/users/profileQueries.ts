import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { userMessages } from '../../shared/users';
import { answer, api, renewSession } from '../server/client';
import { sendOnce } from '../server/keyMemory';
import { personalKey } from '../server/queries';
import { session } from '../server/session';
import { outbox } from '../outbox/outbox';
import { toast } from '../ui/toast';
import { userQuery } from './queries';

/** Where account pages lead without a `redirect`. */
export const profilePath = '/customer/view/profile';

/**
 * @param onSaved runs before the page is left
 * @param nextPage the next page
 */
export function useUpdateProfile(userId: string, onSaved: () => void, nextPage: string) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Schema<'ProfileUpdate'>) =>
      sendOnce(['updateProfile', userId, body], ({ header }) =>
        answer(api.PUT('/public/users/{userId}/profile', { params: { path: { userId }, header }, body })),
      ),
    onSuccess: async ({ user }, { email }) => {
      if (user.email !== email) toast.info(userMessages.emailWaits);
      session.set(user); // the name may have changed
      onSaved();
      await cache.invalidateQueries(userQuery(userId));
      await navigate({ to: nextPage });
    },
    meta: userMessages.updateProfile,
  });
}

/** @param wayBack the next page: for users who had to change it first, the one they wanted */
export function useChangePassword(userId: string, wayBack: string) {
  const router = useRouter();
  return useMutation({
    mutationFn: (body: Schema<'PasswordChange'>) =>
      sendOnce(['changePassword', userId, body], ({ header }) =>
        answer(api.PUT('/public/users/{userId}/password', { params: { path: { userId }, header }, body })),
      ),
    onSuccess: async () => {
      await continueAfterDuty();
      await router.navigate({ href: wayBack });
    },
    meta: authMessages.changePassword,
  });
}

/** Emails the link that proves the address. On failure refetches the user, who may have proved it in another tab. */
export function useSendProofLink(userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.POST('/auth/email/link', { body: {} })),
    onError: () => cache.invalidateQueries(userQuery(userId)),
    meta: authMessages.sendProofLink,
  });
}

/** The response is a secret, so it isn't cached after the page is left. */
export function useBeginSecondFactor() {
  return useMutation({
    mutationFn: (body: Schema<'PasswordProof'>) => answer(api.POST('/auth/second-factor/begin', { body })),
    gcTime: 0,
    meta: { failure: authMessages.beginSecondFactor.failure },
  });
}

/** @param onCodes receives the recovery codes, which are never shown again */
export function useConfirmSecondFactor(userId: string, onCodes: (codes: string[]) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'OneTimeCode'>) => answer(api.POST('/auth/second-factor/confirm', { body })),
    onSuccess: async ({ recoveryCodes }) => {
      onCodes(recoveryCodes);
      await continueAfterDuty();
      await cache.invalidateQueries(userQuery(userId));
    },
    gcTime: 0,
    meta: authMessages.confirmSecondFactor,
  });
}

export function useDisableSecondFactor(userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'SecondFactorProof'>) => answer(api.POST('/auth/second-factor/disable', { body })),
    onSettled: () => cache.invalidateQueries(userQuery(userId)),
    meta: authMessages.disableSecondFactor,
  });
}

/** @param onCodes receives the recovery codes, which are never shown again */
export function useNewRecoveryCodes(onCodes: (codes: string[]) => void) {
  return useMutation({
    mutationFn: (body: Schema<'SecondFactorProof'>) => answer(api.POST('/auth/second-factor/recovery-codes', { body })),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    gcTime: 0,
    meta: authMessages.newRecoveryCodes,
  });
}

export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'sessions'],
    queryFn: async ({ signal }) => {
      const params = { path: { userId } };
      return (await answer(api.GET('/public/users/{userId}/sessions', { params, signal }))).sessions;
    },
  });

/** @param onEnded runs while the session is still rendered, so that the focus can move first */
export function useEndSession(userId: string, onEnded: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) =>
      sendOnce(['endSession', userId, sessionId], ({ header }) => {
        const params = { path: { userId, sessionId }, header };
        return answer(api.DELETE('/public/users/{userId}/sessions/{sessionId}', { params }));
      }),
    onSuccess: onEnded,
    onSettled: () => cache.invalidateQueries(sessionsQuery(userId)),
    meta: authMessages.endSession,
  });
}

export function useEndOtherSessions(userId: string, onEnded: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () =>
      sendOnce(['endOtherSessions', userId], ({ header }) =>
        answer(api.DELETE('/public/users/{userId}/sessions', { params: { path: { userId }, header } })),
      ),
    onSuccess: onEnded,
    onSettled: () => cache.invalidateQueries(sessionsQuery(userId)),
    meta: authMessages.endOtherSessions,
  });
}

/** After a duty is done, a new token lifts the restriction; if this fails, the next call gets one. */
async function continueAfterDuty(): Promise<void> {
  await renewSession().catch(() => undefined);
  void outbox.flush().catch(() => undefined); // changes that were rejected because of the duty
}
