import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceDot,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { formatMoney, toCents } from '../../../shared/money';
import styles from './dashboard.module.css';
import { longLabel, pointLabel } from './labels';
import type { Dashboard } from './queries';

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const axis = { tick: { fill: 'var(--c-colors-fg-subtle)', fontSize: 13 }, tickLine: false, axisLine: false };
const line = { isAnimationActive: false, dot: false, activeDot: { r: 4.5 } } as const;
const endDot = { r: 4.5, fill: 'var(--c-colors-accent-solid)', stroke: 'var(--c-colors-bg-panel)', strokeWidth: 2 };

/** A chart of the figures; the table below it has them as text. */
export function FigureChart({ dashboard: { series, bucket, expenses } }: { dashboard: Dashboard }) {
  const last = series.at(-1);
  // the labels of hours and months repeat in a long period, so points are identified by their time
  const labels = new Map(series.map(({ from, label }) => [from, label]));
  const short = (from: unknown) => pointLabel(labels.get(String(from)) ?? '', bucket);
  const long = (from: unknown) => longLabel(labels.get(String(from)) ?? '', bucket);
  const name = `${expenses === null ? 'Revenue' : 'Revenue and expenses'} by ${bucket}`;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing, not an image file
    <div className={styles['chart']} role="img" aria-label={name}>
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 640, height: 210 }}>
        <ComposedChart data={series} margin={{ top: 10, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--c-colors-border)" />
          <XAxis
            {...axis}
            dataKey="from"
            tickFormatter={short}
            tickMargin={10}
            minTickGap={24}
            interval="equidistantPreserveStart"
            padding={{ left: 16, right: 16 }}
          />
          <YAxis {...axis} width={56} tickFormatter={(value: number) => dollars.format(value).toLowerCase()} />
          <Tooltip
            isAnimationActive={false}
            labelFormatter={long}
            formatter={(value) => formatMoney(toCents(Number(value)))}
            contentStyle={{ background: 'var(--c-colors-bg-panel)', borderColor: 'var(--c-colors-border)' }}
          />
          <Area
            {...line}
            dataKey="revenue"
            name="Revenue"
            stroke="var(--c-colors-accent-solid)"
            strokeWidth={2.5}
            fill="var(--c-colors-accent-solid)"
            fillOpacity={0.08}
          />
          {last && <ReferenceDot x={last.from} y={last.revenue} {...endDot} />}
          {expenses !== null && (
            <Line
              {...line}
              dataKey="expenses"
              name="Expenses"
              stroke="var(--c-colors-fg-info)"
              strokeWidth={2}
              strokeDasharray="5 4"
            />
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}
