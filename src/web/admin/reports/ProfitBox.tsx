import { Link } from '@tanstack/react-router';
import { countOf } from '../../../shared/counts';
import { figureLabels, reportMessages as messages } from '../../../shared/reports';
import box from '../ui/box.module.css';
import type { Summary } from './queries';
import styles from './reports.module.css';
import { figureOf, marginOf, netOf } from './rows';

/** Net sales less the cost of what was sold. Says which costs are missing. */
export function ProfitBox({ summary }: { summary: Summary }) {
  const { netSales, costOfGoods, restockedCost, grossProfit, unitsWithoutCost, previous } = summary;
  return (
    <section className={`${box['box']} ${styles['profit']}`} aria-labelledby="gross-profit">
      <header>
        <h2 id="gross-profit">Gross profit</h2>
      </header>
      <dl>
        <div>
          <dt>{figureLabels.netSales}</dt>
          <dd>{figureOf('netSales', netSales)}</dd>
        </div>
        <div>
          <dt>{figureLabels.costOfGoods}</dt>
          <dd>{figureOf('costOfGoods', costOfGoods)}</dd>
        </div>
        {restockedCost > 0 && (
          <div className={styles['aside']}>
            <dt>Restocked, not counted</dt>
            <dd>{netOf(restockedCost)}</dd>
          </div>
        )}
        <div className={styles['result']}>
          <dt>{figureLabels.grossProfit}</dt>
          <dd>{figureOf('grossProfit', grossProfit)}</dd>
        </div>
      </dl>
      {grossProfit !== null && (
        <p className={styles['margin']}>
          {marginOf(summary)} margin, {marginOf(previous)} in the period before
        </p>
      )}
      <p className={styles['note']}>
        {grossProfit === null ? messages.noCosts : messages.costs}{' '}
        {grossProfit !== null && unitsWithoutCost > 0 && messages.withoutCost(countOf(unitsWithoutCost, 'unit'))}{' '}
        {unitsWithoutCost > 0 && (
          <Link to="/products" className={`link ${styles['name']}`}>
            Set unit costs
          </Link>
        )}
      </p>
    </section>
  );
}
