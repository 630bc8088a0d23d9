import { formatMoney, toCents } from '../../../shared/money';
import { orderStaffSays, refundStateLabels } from '../../../shared/ordersStaff';
import form from '../form.module.css';
import { timeOf } from '../when';
import styles from './OrderPage.module.css';
import type { Order } from './queries';

/** What was given back of an order, if anything was. */
export function OrderRefunds({ order: { refunds = [], refundedAmount = 0 } }: { order: Order }) {
  if (refunds.length === 0) return null;
  return (
    <section className={styles['box']} aria-labelledby="refunds-heading">
      <header>
        <h2 id="refunds-heading" className={form['heading']}>
          Refunds
        </h2>
      </header>
      <ul className={styles['list']}>
        {refunds.map(({ id, amount, state, reason, by, createdAt, isRestocked }) => (
          <li key={id}>
            <span className={styles['line']}>
              <span>{refundStateLabels[state]}</span>
              <b className="tabular">{formatMoney(toCents(amount))}</b>
            </span>
            {reason && <span>{reason}</span>}
            {isRestocked && <span>{orderStaffSays.restocked}</span>}
            <small className={styles['muted']}>{[by, timeOf(createdAt)].filter(Boolean).join(', ')}</small>
          </li>
        ))}
      </ul>
      <p className={styles['sum']}>
        <span>Refunded</span>
        <span className="tabular">{formatMoney(toCents(refundedAmount))}</span>
      </p>
    </section>
  );
}
