import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { dashboardMessages, periodLabels, periods } from '../../../shared/dashboard';
import { ReadFailure } from '../../connection/ReadFailure';
import { NextSteps } from '../goLive/NextSteps';
import { PeriodChip } from '../period/PeriodChip';
import { AdminHead } from '../ui/AdminHead';
import { Attention } from './Attention';
import { NoMailServer } from '../settings/NoMailServer';
import box from '../ui/box.module.css';
import styles from './dashboard.module.css';
import { Figures, FiguresWaiting } from './Figures';
import { FigureTable } from './FigureTable';
import { dashboardQuery, parsePeriod } from './queries';
import { RecentMessages } from './RecentMessages';
import { lazyPart } from '../../ui/lazyPart';

/** The chart library is large, so the figures do not wait for it. */
const FigureChart = lazyPart(() => import('./FigureChart'), 'FigureChart');

/** Rule: docs/rules/back-office.md, Dashboard */
export function AdminDashboardPage() {
  const period = parsePeriod(useSearch({ strict: false }));
  const read = useQuery(dashboardQuery(period));
  const { data: dashboard, error, isPlaceholderData } = read;
  const navigate = useNavigate();
  return (
    <>
      <AdminHead title="Dashboard">
        <PeriodChip
          labels={periodLabels}
          offered={periods}
          current={period}
          days={dashboard}
          onChoose={(next) => void navigate({ to: '/dashboard', search: { ...next } })}
        />
      </AdminHead>
      <NextSteps />
      <NoMailServer />
      {dashboard && (
        <div className={styles['all']} aria-busy={isPlaceholderData}>
          <Figures dashboard={dashboard} />
          <Attention />
          <section className={box['box']} aria-labelledby="chart-heading">
            <header>
              <h2 id="chart-heading">{dashboard.expenses === null ? 'Revenue over time' : 'Revenue and expenses'}</h2>
              <Legend hasExpenses={dashboard.expenses !== null} />
            </header>
            <Suspense fallback={<span className={`skeleton ${styles['chart']}`} />}>
              <FigureChart dashboard={dashboard} />
            </Suspense>
            <FigureTable dashboard={dashboard} />
          </section>
        </div>
      )}
      {!dashboard && error && <ReadFailure read={read} failure={dashboardMessages.getDashboard.failure} />}
      {!dashboard && !error && <FiguresWaiting />}
      <RecentMessages newMessages={dashboard?.newMessages ?? 0} />
    </>
  );
}

/** The two lines differ by more than their color. */
function Legend({ hasExpenses }: { hasExpenses: boolean }) {
  return (
    <p className={styles['legend']} aria-hidden="true">
      <span>
        <svg width="18" height="4">
          <path d="M0 2h18" stroke="var(--c-colors-accent-solid)" strokeWidth="3" />
        </svg>
        Revenue
      </span>
      {hasExpenses && (
        <span>
          <svg width="18" height="4">
            <path d="M0 2h18" stroke="var(--c-colors-fg-info)" strokeWidth="3" strokeDasharray="5 3" />
          </svg>
          Expenses
        </span>
      )}
    </p>
  );
}
