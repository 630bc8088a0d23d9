import type { CSSProperties, ReactNode } from 'react';
import { formatCount } from '../../../shared/counts';
import { reportLabels } from '../../../shared/reports';
import type { Report } from './queries';
import styles from './reports.module.css';
import { isNamed, isCurrentMonth, netOf } from './rows';

const shownBars = 10;

/** The table has the same figures, so each chart is a single image. */
const pictureOf = ({ by }: Report) => `Net total by ${by}, same figures as the table below`;

/** The largest net totals as bars. @param report its first page */
export function NameChart({ report }: { report: Report }) {
  const shown = report.rows.filter(isNamed).slice(0, shownBars);
  const most = Math.max(...shown.map(({ net }) => net), 0);
  if (shown.length === 0) return null;
  return (
    <section className={styles['box']} aria-labelledby="report-chart">
      <header>
        <h2 id="report-chart">Net total by {reportLabels[report.by].toLowerCase()}</h2>
        {report.namedRows > shownBars && <span>{`Top ${shownBars} of ${formatCount(report.namedRows)}`}</span>}
      </header>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing, and no file */}
      <div className={styles['bars']} role="img" aria-label={pictureOf(report)}>
        {shown.map(({ key, name, net }) => (
          <div key={key}>
            <span>{name}</span>
            <span className={styles['track']}>
              <span style={{ width: `${most > 0 ? (Math.max(0, net) / most) * 100 : 0}%` }} />
            </span>
            <b>{netOf(net)}</b>
          </div>
        ))}
      </div>
    </section>
  );
}

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** All months of the period; the current month is hatched. */
export function MonthChart({ report }: { report: Report }) {
  const months = report.rows.toReversed();
  const [top, step] = scaleOf(Math.max(...months.map(({ net }) => net), 0));
  const every = Math.ceil(months.length / 12);
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, place) => place * step);
  return (
    <section className={styles['box']} aria-labelledby="report-chart">
      <header>
        <h2 id="report-chart">Net total by month</h2>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing, and no file */}
      <div className={styles['months']} role="img" aria-label={pictureOf(report)}>
        {ticks.map((tick) => (
          <span key={tick} className={styles['tick']} style={at(tick / top)}>
            {dollars.format(tick).toLowerCase()}
          </span>
        ))}
        <div className={styles['columns']}>
          {months.map((row, place) => (
            <Column key={row.key} height={row.net / top} isCurrentMonth={isCurrentMonth(report, row)}>
              {place % every === 0 && (
                <small className={months.length > 6 && (place / every) % 2 > 0 ? styles['wide'] : undefined}>
                  {shortMonth.format(new Date(`${row.key}-01`))}
                </small>
              )}
            </Column>
          ))}
        </div>
      </div>
    </section>
  );
}

interface ColumnProps {
  /** Relative to the full height, 0 to 1. */
  height: number;
  isCurrentMonth: boolean;
  children: ReactNode;
}

function Column({ height, isCurrentMonth: isOpen, children }: ColumnProps) {
  return (
    <span>
      <span
        className={`${styles['column']} ${isOpen ? styles['open'] : ''}`}
        style={{ height: `${Math.max(0, height) * 100}%` }}
      />
      {children}
    </span>
  );
}

const at = (share: number): CSSProperties => ({ ['--at' as string]: String(share) });

/** @returns the top of the scale and the step between its lines, in round numbers; about four lines */
function scaleOf(most: number): [top: number, step: number] {
  if (most <= 0) return [1, 1];
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((each) => each * 4 >= most) ?? 10 * power;
  return [Math.ceil(most / step) * step, step];
}
