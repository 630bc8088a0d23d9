import { countOf } from '../../../shared/counts';
import { countStates } from '../../../shared/delivery';
import { formatMoney } from '../../../shared/money';
import { moneyOf, netOf } from '../reports/rows';
import type { Collected } from './queries';
import { sumOf } from './remit';
import box from '../ui/box.module.css';
import styles from './taxReport.module.css';

/** The sums of all states. */
export function RemitCards({ rows }: { rows: readonly Collected[] }) {
  const sum = sumOf(rows);
  const collecting = rows.filter(({ rates }) => rates.length > 0).map(({ state }) => state);
  const cards = [
    ['Sales in all states', sum.gross, `${countOf(sum.orders, 'order')}, with delivery`],
    ['Exempt', sum.exempt, 'No tax collected'],
    ['Tax collected', sum.tax, sum.refunded === 0 ? 'Nothing refunded' : `${moneyOf(-sum.refunded)} refunded`],
    ['To remit', sum.toRemit, collecting.length === 0 ? 'No states' : countStates(collecting)],
  ] as const;
  return (
    <div className={styles['cards']}>
      {cards.map(([name, dollars, about]) => (
        <section key={name} className={`${box['box']} ${styles['card']}`} aria-label={name}>
          <span>{name}</span>
          <b>{dollars < 0 ? netOf(dollars) : formatMoney(Math.round(dollars * 100))}</b>
          <span>{about}</span>
        </section>
      ))}
    </div>
  );
}
