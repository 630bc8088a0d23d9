import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { emailSettingsMessages } from '../../../shared/emailSettings';
import { answer, api } from '../../server/client';
import { staffQuery, useStaffChange } from '../staffCalls';

export const emailSettingsQuery = () =>
  staffQuery(['email-settings'], async (signal) => (await answer(api.GET('/admin/settings/email', { signal }))).email);

/** @param onSaved called when they are saved, before all that shows them is read again */
export function useSetEmailSettings(onSaved: (saved: Schema<'EmailSettings'>) => void) {
  const cache = useQueryClient();
  return useStaffChange({
    send: (body: Schema<'NewEmailSettings'>, { header }) =>
      answer(api.PUT('/admin/settings/email', { params: { header }, body })),
    onSuccess: ({ email }) => {
      cache.setQueryData(emailSettingsQuery().queryKey, email);
      onSaved(email);
    },
    meta: emailSettingsMessages.setEmailSettings,
  });
}

/** @param onRemoved receives the settings without a mail server */
export function useRemoveMailServer(onRemoved: (email: Schema<'EmailSettings'>) => void) {
  const cache = useQueryClient();
  return useStaffChange({
    send: (body: Schema<'MailServerProof'>, { header }) =>
      answer(api.POST('/admin/settings/email/remove', { params: { header }, body })),
    onSuccess: ({ email }) => {
      cache.setQueryData(emailSettingsQuery().queryKey, email);
      onRemoved(email);
    },
    meta: emailSettingsMessages.removeMailServer,
  });
}

/** Its result is shown beside the button. */
export const useSendTestEmail = () =>
  useStaffChange({
    send: (to: string, { header }) =>
      answer(api.POST('/admin/settings/email/test', { params: { header }, body: { to } })),
    meta: { failure: emailSettingsMessages.sendTestEmail.failure },
  });
