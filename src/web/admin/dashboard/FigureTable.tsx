import { formatMoney, toCents } from '../../../shared/money';
import { Icon } from '../../ui/Icon';
import styles from './dashboard.module.css';
import { longLabel } from './labels';
import type { Dashboard } from './queries';

/** The chart's figures as text, to the cent. */
export function FigureTable({ dashboard: { series, bucket, expenses, timeZone } }: { dashboard: Dashboard }) {
  const hasExpenses = expenses !== null;
  return (
    <details className={styles['table']}>
      <summary>
        Show as a table
        <Icon name="chevronDown" size={16} />
      </summary>
      <p>Days in {timeZone.split('/').at(-1)?.replaceAll('_', ' ')} time</p>
      {/* lets a wide table be scrolled with the keyboard */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section tabIndex={0} aria-label="Figures as a table">
        <table className="tabular">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Revenue</th>
              {hasExpenses && <th scope="col">Expenses</th>}
              <th scope="col">Sales</th>
            </tr>
          </thead>
          <tbody>
            {series.map((point) => (
              <tr key={point.from}>
                <th scope="row">{longLabel(point.label, bucket)}</th>
                <td>{formatMoney(toCents(point.revenue))}</td>
                {hasExpenses && <td>{formatMoney(toCents(point.expenses ?? 0))}</td>}
                <td>{point.sales}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
