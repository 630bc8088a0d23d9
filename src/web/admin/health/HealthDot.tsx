import { useQuery } from '@tanstack/react-query';
import { AttentionDot } from '../ui/AttentionDot';
import { healthQuery } from './queries';

/** Moving from page to page does not check the shop again. */
const everyMs = 5 * 60_000;

/** For the owner, beside the link to Health: whether something needs attention. Rule: docs/rules/back-office.md, Health */
export function HealthDot() {
  const { data } = useQuery({ ...healthQuery(), staleTime: everyMs, refetchInterval: everyMs });
  return data?.health.some(({ state }) => state === 'attention') ? <AttentionDot /> : null;
}
