import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { parsePage } from '../../../shared/paging';
import {
  reportLabels,
  type ReportPeriod,
  reportPeriodLabels,
  reportPeriods,
  reportMessages,
} from '../../../shared/reports';
import { ReadFailure } from '../../connection/ReadFailure';
import { Waiting } from '../../ui/Waiting';
import { type ChosenPeriod, PeriodChip } from '../period/PeriodChip';
import { ExportButton } from '../table/ExportButton';
import { useExistingPage } from '../table/useExistingPage';
import { AdminHead } from '../ui/AdminHead';
import { daysInWords } from '../ui/dates';
import { MonthChart, NameChart } from './charts';
import { Choice } from './Choice';
import { ReportPages } from './ReportPages';
import { type ReportRequest, exportReport, parseReport, type Report, reportQuery } from './queries';
import { pagesOf, ReportTable } from './ReportTable';
import styles from './reports.module.css';
import { netOf } from './rows';

/** Rule: docs/rules/selling.md, Reports */
export function AdminReportsPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const request = parseReport(search);
  const page = parsePage(search['page']);
  const read = useQuery(reportQuery(request, page));
  const { data: report, error, isPlaceholderData } = read;
  const { data: largest } = useQuery(reportQuery(request, 1));
  const navigate = useNavigate();
  useExistingPage(page, isPlaceholderData ? undefined : report && pagesOf(report), (last) =>
    navigate({ to: '.', search: { ...search, page: last }, replace: true }),
  );
  const go = ({ by, ...period }: ReportRequest, isOtherPeriod: boolean) =>
    void navigate({ to: '/admin/reports', search: { report: by, ...period }, resetScroll: isOtherPeriod });
  return (
    <>
      <AdminHead title="Reports">
        <PeriodChip<ReportPeriod>
          labels={reportPeriodLabels}
          offered={reportPeriods}
          current={request}
          days={report}
          onChoose={(period: ChosenPeriod<ReportPeriod>) => go({ by: request.by, ...period }, true)}
        />
        <ExportButton label="Export CSV" fileName={`report-by-${request.by}.csv`} read={() => exportReport(request)} />
      </AdminHead>
      <ReportPages />
      <div className={styles['choice']}>
        <Choice
          legend="Sales by"
          name="report-by"
          labels={reportLabels}
          chosen={request.by}
          onChoose={(by) => go({ ...request, by }, false)}
        />
        {report && (
          <output className={styles['when']}>
            {daysInWords(report.from, report.to)}: <b>{netOf(report.sum.net)}</b>
          </output>
        )}
      </div>
      {report && (
        <div className={styles['all']} aria-busy={isPlaceholderData}>
          <Shown report={report} largest={largest} page={page} />
        </div>
      )}
      {!report && error && <ReadFailure read={read} failure={reportMessages.getReport.failure} />}
      {!report && !error && <ReportWaiting />}
    </>
  );
}

interface ShownProps {
  report: Report;
  /** The first page, for the chart. */
  largest: Report | undefined;
  page: number;
}

function Shown({ report, largest, page }: ShownProps) {
  const { units, delivery, refunds } = report.sum;
  if (units === 0 && delivery === 0 && refunds === 0)
    return <p className={`${styles['box']} ${styles['none']}`}>{reportMessages.nothing}</p>;
  return (
    <>
      {report.by === 'month' ? <MonthChart report={report} /> : largest && <NameChart report={largest} />}
      <ReportTable report={report} page={page} />
    </>
  );
}

const tenBars = Array.from({ length: 10 }, (_, bar) => bar);

function ReportWaiting() {
  return (
    <Waiting what="the report" className={`${styles['box']} ${styles['waiting']}`}>
      {tenBars.map((bar) => (
        <span key={bar} className="skeleton" style={{ width: `${100 - bar * 6}%` }} />
      ))}
    </Waiting>
  );
}
