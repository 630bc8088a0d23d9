import type { QueryOf, Schema } from '../../shared/contract';
import { bucketOf, dashboardMessages as messages, daysOf } from '../../shared/dashboard';
import { fromCents } from '../../shared/money';
import { countOpenAlarms } from '../alarms/service';
import { countNewMessages } from '../contact/inbox';
import { withLongTimeout, type Db } from '../db/core/transact';
import type { ContractApi } from '../http/contract/contract';
import { invalid } from '../http/core/problems';
import { findToday, refuseWrongOrder } from '../http/core/shopDays';
import { findSums, type Sums } from '../reports/summaryFigures';
import type { SettingsCache } from '../settings/service';
import { findSeries, hasCosts, type Point, type Span } from './figures';

export function dashboardRoutes(api: ContractApi, { settings }: { settings: SettingsCache }): void {
  api.on('getDashboard', async ({ db, query, now }) => {
    const { timeZone } = await settings.get();
    const span = await spanOf(db, query, timeZone, now);
    const [series, sums, areCostsKnown, attention, newMessages] = await Promise.all([
      withLongTimeout(db, (tx) => findSeries(tx, span)),
      withLongTimeout(db, (tx) => findSums(tx, span)),
      hasCosts(db),
      countOpenAlarms(db),
      countNewMessages(db),
    ]);
    const figures = { ...presentFigures(series, areCostsKnown), ...presentProfit(sums) };
    return {
      message: messages.getDashboard.success,
      data: { dashboard: { ...span, ...figures, attention, newMessages } },
    };
  });
}

async function spanOf(db: Db, query: QueryOf<'getDashboard'>, timeZone: string, now: Date): Promise<Span> {
  const days = daysOf(query, await findToday(db, now, timeZone));
  if (typeof days === 'string') throw invalid(days, [{ field: 'from', message: days }]);
  refuseWrongOrder(days);
  return { ...days, bucket: bucketOf(days.from, days.to), timeZone };
}

function presentFigures(series: readonly Point[], areCostsKnown: boolean) {
  const sum = (of: (point: Point) => number) => series.reduce((total, point) => total + of(point), 0);
  const paidCents = sum((point) => point.paidCents);
  const refundedCents = sum((point) => point.refundedCents);
  const expenses = (cents: number) => (areCostsKnown ? fromCents(cents) : null);
  return {
    revenue: fromCents(paidCents - refundedCents),
    paidAmount: fromCents(paidCents),
    refundedAmount: fromCents(refundedCents),
    expenses: expenses(sum(({ costCents }) => costCents)),
    sales: sum(({ sales }) => sales),
    series: series.map((point): Schema<'DashboardPoint'> => ({
      from: point.moment.toISOString(),
      label: point.label,
      revenue: fromCents(point.paidCents - point.refundedCents),
      expenses: expenses(point.costCents),
      sales: point.sales,
    })),
  };
}

const presentProfit = ({ netCents, costCents, unitsWithoutCost }: Sums) => ({
  netSales: fromCents(netCents),
  grossProfit: costCents === null ? null : fromCents(netCents - costCents),
  unitsWithoutCost,
});
