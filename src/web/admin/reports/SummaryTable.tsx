import { figureLabels } from '../../../shared/reports';
import box from '../ui/box.module.css';
import { daysInWords } from '../ui/dates';
import type { Summary } from './queries';
import styles from './reports.module.css';
import { changeOf, figureOf } from './rows';

const figures = ['grossSales', 'discounts', 'returns', 'netSales', 'delivery', 'tax', 'total'] as const;
type Figure = (typeof figures)[number];

const explanations: Partial<Record<Figure, string>> = {
  netSales: 'Income from items',
  tax: 'Owed to the states',
  total: 'Payments less refunds',
};
const isSum = (figure: Figure) => figure === 'netSales' || figure === 'total';

/** The figures from gross sales to the total, beside those of the period before. */
export function SummaryTable({ summary }: { summary: Summary }) {
  const { from, to, previous } = summary;
  return (
    <section className={box['box']} aria-labelledby="sales-summary">
      <header>
        <h2 id="sales-summary">Sales summary</h2>
      </header>
      <table className={`${box['table']} ${styles['compared']}`}>
        <caption className="sr-only">Sales summary</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Figure</span>
            </th>
            <th scope="col">{daysInWords(from, to)}</th>
            <th scope="col">{daysInWords(previous.from, previous.to)}</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => (
            <tr key={figure} className={isSum(figure) ? styles['subtotal'] : undefined}>
              <th scope="row">
                {figureLabels[figure]}
                {explanations[figure] && <small>{explanations[figure]}</small>}
              </th>
              <td>{figureOf(figure, summary[figure])}</td>
              <td>{figureOf(figure, previous[figure])}</td>
              <td>{changeOf(summary[figure], previous[figure])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
