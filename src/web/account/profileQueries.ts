import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { userMessages } from '../../shared/users';
import { answer, api, renewSession } from '../server/client';
import { sendOnce } from '../server/keys';
import { personalKey } from '../server/queries';
import { session } from '../server/session';
import { outbox } from '../outbox/outbox';
import { toast } from '../ui/toast';
import { userQuery } from './queries';

/** Where a page of the account leads without a `redirect`. */
export const profilePath = '/customer/view/profile';

/**
 * @param onSaved before the page is left
 * @param wayOn where it leads
 */
export function useUpdateProfile(userId: string, onSaved: () => void, wayOn: string) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Schema<'ProfileUpdate'>) =>
      sendOnce(['updateProfile', userId, body], ({ header }) =>
        answer(api.PUT('/public/users/{userId}/profile', { params: { path: { userId }, header }, body })),
      ),
    onSuccess: async ({ user }, { email }) => {
      if (user.email !== email) toast.info(userMessages.emailWaits);
      session.set(user); // the name has changed, maybe
      onSaved();
      await cache.invalidateQueries(userQuery(userId));
      await navigate({ to: wayOn });
    },
    meta: userMessages.updateProfile,
  });
}

/** @param wayBack where it leads: for who had to change it first, where that was going */
export function useChangePassword(userId: string, wayBack: string) {
  const router = useRouter();
  return useMutation({
    mutationFn: (body: Schema<'PasswordChange'>) =>
      sendOnce(['changePassword', userId, body], ({ header }) =>
        answer(api.PUT('/public/users/{userId}/password', { params: { path: { userId }, header }, body })),
      ),
    onSuccess: async () => {
      await getOn();
      await router.navigate({ href: wayBack });
    },
    meta: authMessages.changePassword,
  });
}

/** Mails the link that proves the address; who proved it meanwhile, in another tab, sees that then. */
export function useSendProofLink(userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.POST('/auth/email/link', { body: {} })),
    onError: () => cache.invalidateQueries(userQuery(userId)),
    meta: authMessages.sendProofLink,
  });
}

/** Its answer is a secret, so nothing of it outlives the page. */
export function useBeginSecondFactor() {
  return useMutation({
    mutationFn: (body: Schema<'PasswordProof'>) => answer(api.POST('/auth/second-factor/begin', { body })),
    gcTime: 0,
    meta: { failure: authMessages.beginSecondFactor.failure },
  });
}

/** @param onCodes is handed the recovery codes: it is the only time that they are known */
export function useConfirmSecondFactor(userId: string, onCodes: (codes: string[]) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'OneTimeCode'>) => answer(api.POST('/auth/second-factor/confirm', { body })),
    onSuccess: async ({ recoveryCodes }) => {
      onCodes(recoveryCodes);
      await getOn();
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

export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'sessions'],
    queryFn: async ({ signal }) => {
      const params = { path: { userId } };
      return (await answer(api.GET('/public/users/{userId}/sessions', { params, signal }))).sessions;
    },
  });

/** @param onEnded runs while the session is still on the page, so that the focus can move away first */
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

/** Who had to do this first is let through by a new token alone; without one, the next call gets it. */
async function getOn(): Promise<void> {
  await renewSession().catch(() => undefined);
  void outbox.flush().catch(() => undefined); // changes that were refused because of the duty
}
