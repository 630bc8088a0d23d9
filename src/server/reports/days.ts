import { reportDaysOf, type ReportPeriod } from '../../shared/reports';
import { refuseWrongOrder } from '../http/core/shopDays';
import { invalid } from '../http/core/problems';

export type ReportDays = { period: ReportPeriod; from?: string | undefined; to?: string | undefined };

/**
 * @param today in the shop's time zone
 * @returns the first and the last day
 * @throws Problem 400 invalid_request when the days are missing, not allowed with the period, or in the wrong order
 */
export function requestedDays(query: ReportDays, today: string): { from: string; to: string } {
  const days = reportDaysOf(query, today);
  if (typeof days === 'string') throw invalid(days, [{ field: 'from', message: days }]);
  refuseWrongOrder(days);
  return days;
}
