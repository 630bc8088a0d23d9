import { useQueryClient } from '@tanstack/react-query';
import { paymentSettingsMessages } from '../../../shared/paymentSettings';
import { answer, api } from '../../server/client';
import { staffQuery, useStaffChange } from '../staffCalls';

export const paymentStatusQuery = () =>
  staffQuery(['payments'], async (signal) => (await answer(api.GET('/admin/settings/payments', { signal }))).payments);

/** Asks the provider now; each press is a check of its own. */
export function useCheckPayments() {
  const cache = useQueryClient();
  return useStaffChange({
    send: (_: undefined, { header }) =>
      answer(api.POST('/admin/settings/payments/check', { params: { header }, body: {} })),
    onSuccess: ({ payments }) => cache.setQueryData(paymentStatusQuery().queryKey, payments),
    meta: paymentSettingsMessages.checkPayments,
  });
}
