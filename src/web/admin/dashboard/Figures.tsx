import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '../../../shared/counts';
import { dashboardMessages } from '../../../shared/dashboard';
import { formatMoney, toCents } from '../../../shared/money';
import { Icon } from '../../ui/Icon';
import { Waiting } from '../../ui/Waiting';
import box from '../ui/box.module.css';
import styles from './dashboard.module.css';
import type { Dashboard } from './queries';

/**
 * The three figures, each with a link to the list behind it. While no costs are known, Expenses links to the products.
 */
export function Figures({ dashboard }: { dashboard: Dashboard }) {
  const { revenue, expenses, sales, series, from, to } = dashboard;
  const days = `${from}_${to}`;
  return (
    <div className={styles['cards']}>
      <Figure
        name="Revenue"
        value={formatMoney(toCents(revenue))}
        points={series.map((point) => point.revenue)}
        colour="var(--c-colors-accent-solid)"
        list={{ label: 'View paid orders', search: { days, by: 'money' } }}
        beside={<Profit dashboard={dashboard} />}
      />
      {expenses === null ? (
        <UnknownExpenses />
      ) : (
        <Figure
          name="Expenses"
          value={formatMoney(toCents(expenses))}
          points={series.map((point) => point.expenses ?? 0)}
          colour="var(--c-colors-fg-info)"
          list={{ label: 'View orders', search: { days, by: 'money' } }}
        />
      )}
      <Figure
        name="Sales"
        value={formatCount(sales)}
        points={series.map((point) => point.sales)}
        colour="var(--c-colors-success-fg)"
        list={{ label: 'View all sales', search: { days, by: 'paid' } }}
      />
    </div>
  );
}

/** A dash, and a link to where costs are set. Rule: docs/rules/back-office.md, Dashboard */
function UnknownExpenses() {
  return (
    <section className={`${box['box']} ${styles['figure']}`} aria-label="Expenses">
      <span className={styles['name']}>Expenses</span>
      <span className={styles['value']} aria-hidden="true">
        —
      </span>
      <span className="sr-only">{dashboardMessages.noCosts}</span>
      <Link to="/products">
        Set unit costs
        <Icon name="right" size={16} />
      </Link>
    </section>
  );
}

/** Two figures of the sales summary, beside Revenue. Missing costs make the profit an upper bound. */
function Profit({ dashboard: { netSales, grossProfit, unitsWithoutCost } }: { dashboard: Dashboard }) {
  return (
    <dl className={styles['beside']}>
      <dt>Net sales</dt>
      <dd>{signed(netSales)}</dd>
      <dt>Gross profit</dt>
      <dd>
        {grossProfit === null ? (
          <>
            <span aria-hidden="true">—</span>
            <span className="sr-only">{dashboardMessages.noProfit}</span>
          </>
        ) : (
          <>
            {unitsWithoutCost > 0 && 'about '}
            {signed(grossProfit)}
          </>
        )}
      </dd>
    </dl>
  );
}

/** With a true minus sign. */
const signed = (dollars: number) => formatMoney(toCents(dollars)).replace('-', '−');

interface Props {
  name: string;
  value: string;
  points: number[];
  colour: string;
  list: { label: string; search: { days: string; by: string } };
  beside?: ReactNode;
}

function Figure({ name, value, points, colour, list, beside }: Props) {
  return (
    <section className={`${box['box']} ${styles['figure']}`} aria-label={name}>
      <div className={styles['top']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['value']}>{value}</span>
        {beside}
      </div>
      <Spark points={points} colour={colour} />
      <Link to="/ordered/products" search={list.search} aria-label={`${list.label} for ${name}`}>
        {list.label}
        <Icon name="right" size={16} />
      </Link>
    </section>
  );
}

/** A small curve without numbers; the chart and its table have those. */
function Spark({ points, colour }: { points: number[]; colour: string }) {
  const [least, most] = [Math.min(...points), Math.max(...points)];
  const [width, height] = [300, 36];
  const x = (place: number) => (points.length > 1 ? (place * width) / (points.length - 1) : 0);
  const y = (point: number) =>
    most > least ? height - 3 - ((point - least) / (most - least)) * (height - 6) : height - 3;
  const line = points.map((point, place) => `${x(place).toFixed(1)} ${y(point).toFixed(1)}`).join('L');
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path
        d={points.length > 1 ? `M${line}` : `M0 ${height - 3}H${width}`}
        fill="none"
        stroke={colour}
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

export function FiguresWaiting() {
  return (
    <Waiting what="the figures" className={styles['cards']}>
      {[1, 2, 3].map((card) => (
        <span key={card} className={`skeleton ${styles['figureWaiting']}`} />
      ))}
    </Waiting>
  );
}
