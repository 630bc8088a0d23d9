import { useShopFacts } from '../../ui/shopFacts';
import { knownZone } from '../../ui/shopTime';

/** Days of orders, in the shop's time zone like their times: 'Nov 14, 2026'. */
export function useShopDay(): (at: string) => string {
  const timeZone = knownZone(useShopFacts().timeZone);
  return (at) => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(new Date(at));
}
