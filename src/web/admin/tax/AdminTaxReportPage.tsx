import { skipToken, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  reportDaysOf,
  reportMessages,
  type ReportPeriod,
  reportPeriodLabels,
  reportPeriods,
} from '../../../shared/reports';
import { taxMessages as messages } from '../../../shared/tax';
import { ReadFailure } from '../../connection/ReadFailure';
import { Waiting } from '../../ui/Waiting';
import { type ChosenPeriod, PeriodChip } from '../period/PeriodChip';
import { parseReportPeriod } from '../reports/queries';
import { ReportPages } from '../reports/ReportPages';
import report from '../reports/reports.module.css';
import { ExportButton } from '../table/ExportButton';
import { AdminHead, toDashboard } from '../ui/AdminHead';
import { daysInWords } from '../ui/dates';
import { collectedQuery, type Days, exportCollected } from './queries';
import { RemitCards } from './RemitCards';
import { RemitTable } from './RemitTable';
import { useToday } from './useToday';
import box from '../ui/box.module.css';
import styles from './taxReport.module.css';

/** Sales and sales tax of each state in a period. Rule: docs/rules/selling.md, Tax to remit */
export function AdminTaxReportPage() {
  const current = parseReportPeriod(useSearch({ strict: false }), 'month');
  const [settings, days] = useDaysOf(current);
  const query = useQuery({ ...collectedQuery(days ?? noDays), ...(!days && { queryFn: skipToken }) });
  const { data: rows, isPlaceholderData } = query;
  const failed = settings.error !== null ? settings : query.error !== null ? query : undefined;
  const navigate = useNavigate();
  const choose = ({ period, from, to }: ChosenPeriod<ReportPeriod>) =>
    void navigate({ to: '.', search: { period, from, to } });
  return (
    <>
      <AdminHead title="Reports" pageTitle="Sales tax report">
        <PeriodChip<ReportPeriod>
          labels={reportPeriodLabels}
          offered={reportPeriods}
          current={current}
          days={days}
          onChoose={choose}
        />
        {days && (
          <ExportButton label="Export CSV" fileName="sales-tax-collected.csv" read={() => exportCollected(days)} />
        )}
      </AdminHead>
      <div className={report['choice']}>
        <ReportPages />
        {days && <output className={report['when']}>{daysInWords(days.from, days.to)}, paid orders</output>}
      </div>
      {rows && days && (
        <div className={report['all']} aria-busy={isPlaceholderData}>
          {rows.length === 0 && <p className={`${box['box']} ${box['state']}`}>{reportMessages.nothing}</p>}
          {rows.length > 0 && <RemitCards rows={rows} />}
          {rows.length > 0 && <RemitTable rows={rows} days={days} />}
        </div>
      )}
      {!rows && failed && <ReadFailure read={failed} failure={messages.getTaxCollected.failure} back={toDashboard} />}
      {!rows && !failed && (
        <Waiting what="collected tax" className={box['box']}>
          {[1, 2, 3, 4, 5, 6].map((row) => (
            <span key={row} className={`skeleton ${styles['skeleton']}`} />
          ))}
        </Waiting>
      )}
    </>
  );
}

const noDays: Days = { from: '', to: '' };

/** The period's days in the shop's time zone, once that is known. */
function useDaysOf(current: ChosenPeriod<ReportPeriod>) {
  const [settings, today] = useToday();
  const days = today === undefined ? undefined : reportDaysOf(current, today);
  return [settings, typeof days === 'string' ? undefined : days] as const;
}
