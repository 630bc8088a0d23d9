import { reportDaysOf, type ReportPeriod } from '../../shared/reports';
import { refuseWrongOrder } from '../http/core/shopDays';
import { invalid } from '../http/core/problems';

type Asked = { period: ReportPeriod; from?: string | undefined; to?: string | undefined };

/**
 * @param today in the shop's time zone
 * @returns the first and the last day
 * @throws Problem 400 invalid_request when they are missing, too many or in the wrong order
 */
export function daysAsked(asked: Asked, today: string): { from: string; to: string } {
  const days = reportDaysOf(asked, today);
  if (typeof days === 'string') throw invalid(days, [{ field: 'from', message: days }]);
  refuseWrongOrder(days);
  return days;
}
