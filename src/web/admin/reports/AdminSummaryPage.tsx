import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { pageSize, parsePage } from '../../../shared/paging';
import { reportMessages, type ReportPeriod, reportPeriodLabels, reportPeriods } from '../../../shared/reports';
import { ReadFailure } from '../../connection/ReadFailure';
import { Waiting } from '../../ui/Waiting';
import { type ChosenPeriod, PeriodChip } from '../period/PeriodChip';
import { ExportButton } from '../table/ExportButton';
import { useExistingPage } from '../table/useExistingPage';
import { AdminHead } from '../ui/AdminHead';
import { daysInWords } from '../ui/dates';
import { ProfitBox } from './ProfitBox';
import { exportSummary, parseSummary, type Summary, summaryQuery, type SummaryRequest } from './queries';
import { ReportPages } from './ReportPages';
import styles from './reports.module.css';
import { SalesTable } from './SalesTable';
import { SummaryTable } from './SummaryTable';

/** Rule: docs/rules/selling.md, Sales summary */
export function AdminSummaryPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const request = parseSummary(search);
  const page = parsePage(search['page']);
  const read = useQuery(summaryQuery(request, page));
  const { data: summary, error, isPlaceholderData } = read;
  const navigate = useNavigate();
  const totalPages = isPlaceholderData || !summary ? undefined : Math.ceil((summary.totalRows ?? 0) / pageSize);
  useExistingPage(page, totalPages, (last) =>
    navigate({ to: '/admin/reports/summary', search: { ...request, page: last }, replace: true }),
  );
  const go = (wanted: SummaryRequest, isOtherPeriod: boolean) =>
    void navigate({ to: '/admin/reports/summary', search: wanted, resetScroll: isOtherPeriod });
  return (
    <>
      <AdminHead title="Reports" pageTitle="Sales summary">
        <PeriodChip<ReportPeriod>
          labels={reportPeriodLabels}
          offered={reportPeriods}
          current={request}
          days={summary}
          onChoose={(period: ChosenPeriod<ReportPeriod>) => go({ by: request.by, show: request.show, ...period }, true)}
        />
        <ExportButton
          label="Export CSV"
          fileName="sales-summary.csv"
          read={async () => exportSummary(request, undefined)}
        />
      </AdminHead>
      <div className={styles['choice']}>
        <ReportPages />
        {summary && <output className={styles['when']}>{daysInWords(summary.from, summary.to)}, paid orders</output>}
      </div>
      {summary && (
        <div className={styles['all']} aria-busy={isPlaceholderData}>
          <Shown summary={summary} request={request} page={page} onChoose={go} />
        </div>
      )}
      {!summary && error && <ReadFailure read={read} failure={reportMessages.getSalesSummary.failure} />}
      {!summary && !error && <SummaryWaiting />}
    </>
  );
}

interface ShownProps {
  summary: Summary;
  request: SummaryRequest;
  page: number;
  onChoose: (wanted: SummaryRequest, isOtherPeriod: boolean) => void;
}

function Shown({ summary, request, page, onChoose }: ShownProps) {
  return (
    <>
      <div className={styles['summary']}>
        <SummaryTable summary={summary} />
        <ProfitBox summary={summary} />
      </div>
      <SalesTable summary={summary} request={request} page={page} onChoose={(wanted) => onChoose(wanted, false)} />
    </>
  );
}

const rows = Array.from({ length: 7 }, (_, row) => row);

function SummaryWaiting() {
  return (
    <Waiting what="the sales summary" className={`${styles['box']} ${styles['waiting']}`}>
      {rows.map((row) => (
        <span key={row} className="skeleton" />
      ))}
    </Waiting>
  );
}
