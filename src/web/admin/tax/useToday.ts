import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { knownZone } from '../../ui/shopTime';
import { settingsQuery } from '../settings/queries';

/** Today in the shop's time zone, once that is known. */
export function useToday() {
  const settings = useQuery(settingsQuery());
  const [now] = useState(() => new Date());
  const { data } = settings;
  const today = data && new Intl.DateTimeFormat('en-CA', { timeZone: knownZone(data.timeZone) }).format(now);
  return [settings, today] as const;
}
