import { Link } from '@tanstack/react-router';
import styles from './reports.module.css';

/** Links to the pages of reports. The chosen period stays. */
export function ReportPages() {
  return (
    <nav className={styles['seg']} aria-label="Report pages">
      {pages.map(({ to, label }) => (
        <Link key={to} to={to} search={periodOf} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

const pages = [
  { to: '/admin/reports/summary', label: 'Sales summary' },
  { to: '/admin/reports', label: 'Revenue' },
  { to: '/admin/reports/tax', label: 'Sales tax' },
] as const;

type Text = string | string[] | undefined;
type Chosen = { period?: Text; from?: Text; to?: Text };
const periodOf = ({ period, from, to }: Chosen) => ({ period, from, to });
