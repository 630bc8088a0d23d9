import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../../shared/contract';
import { daysOf, type DashboardPeriod, periodLabels } from '../../../shared/dashboard';
import type { Settings } from '../../../shared/settingFields';
import { settingsMessages } from '../../../shared/settings';
import { parseDays } from '../../../shared/staffList';
import { answer, api } from '../../server/client';
import { keyOfPart } from '../keyOfPart';
import { shopQuery } from '../../settings/queries';
import { knownZone } from '../../ui/shopTime';
import { changedFields } from '../changedFields';
import { multipart, useStaffChange, staffQuery } from '../staffCalls';
import { daysInWords } from '../ui/dates';

const readAnswer = (signal?: AbortSignal) => answer(api.GET('/admin/settings', signal ? { signal } : {}));

const answerQuery = () => staffQuery(['settings'], readAnswer);

export const settingsQuery = () => queryOptions({ ...answerQuery(), select: settingsOf });
export const mailStateQuery = () => queryOptions({ ...answerQuery(), select: mailStateOf });
export const logoQuery = () => queryOptions({ ...answerQuery(), select: logoOf });

export const paymentModeQuery = () => queryOptions({ ...answerQuery(), select: paymentModeOf });

const settingsOf = ({ settings }: { settings: Settings }) => settings;
type MailState = Schema<'MailServerState'>;
const mailStateOf = ({ mailState }: { mailState?: MailState }) => mailState;
const logoOf = ({ logo }: Pick<Schema<'SettingsAnswer'>['data'], 'logo'>) => logo;
const paymentModeOf = ({ paymentMode }: { paymentMode: Schema<'PaymentMode'> }) => paymentMode;

/** `sent`: all values of the form, as typed. */
type SettingsChange = { before: Settings; form: Schema<'NewSettings'>; sent?: Settings };

/**
 * Sends only the fields changed in the form, on top of the current settings.
 * @param onSaved called when they are saved, before all that shows them is read again
 */
export function useUpdateSettings(onSaved?: (saved: Settings, change: SettingsChange) => void) {
  const cache = useQueryClient();
  return useStaffChange({
    send: async ({ before, form }: SettingsChange, keyed) => {
      const body = { ...(await readAnswer()).settings, ...changedFields<Schema<'NewSettings'>>(before, form) };
      return answer(api.PUT('/admin/settings', { params: keyOfPart(keyed, JSON.stringify(body)), body }));
    },
    onSuccess: ({ settings }, change) => {
      onSaved?.(settings, change);
      return cache.invalidateQueries(shopQuery);
    },
    meta: settingsMessages.updateSettings,
  });
}

/** @param prepared the file to upload */
export function useSetLogo() {
  const cache = useQueryClient();
  return useStaffChange({
    send: (file: File, params) =>
      answer(api.PUT('/admin/settings/logo', { params, ...multipart<Schema<'LogoForm'>>({ file }) })),
    onSuccess: () => cache.invalidateQueries(shopQuery),
    meta: settingsMessages.setLogo,
  });
}

/** @param onRemoved moves the focus away from the button, which is gone */
export function useRemoveLogo(onRemoved: () => void) {
  const cache = useQueryClient();
  return useStaffChange({
    send: (_: void, params) => answer(api.DELETE('/admin/settings/logo', { params })),
    onSuccess: () => {
      onRemoved();
      return cache.invalidateQueries(shopQuery);
    },
    meta: settingsMessages.removeLogo,
  });
}

const offered = ['today', '7days', '30days', '90days', 'year'] as const satisfies DashboardPeriod[];

/** @returns periods that end today in the shop's time zone, and `chosen` if it is not one of them */
export function useDays(chosen: string | undefined): { value: string; label: string }[] {
  const { data } = useQuery(settingsQuery());
  const [now] = useState(() => new Date());
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: knownZone(data?.timeZone ?? 'UTC') }).format(now);
  const periods = offered.flatMap((period) => {
    const days = daysOf({ period }, today);
    return typeof days === 'string' ? [] : [{ value: `${days.from}_${days.to}`, label: periodLabels[period] }];
  });
  const days = parseDays(chosen);
  if (!chosen || !days || periods.some(({ value }) => value === chosen)) return periods;
  return [...periods, { value: chosen, label: daysInWords(days.from, days.to) }];
}
