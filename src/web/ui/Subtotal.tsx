import { formatMoney } from '../../shared/money';
import styles from './Subtotal.module.css';

/** Shows no fees, tax or shipping costs. Rule: docs/rules/orders-and-payment.md, An order */
export function Subtotal({ cents }: { cents: number }) {
  return (
    <p className={styles['subtotal']}>
      <span>Subtotal</span>
      <span className="tabular">{formatMoney(cents)}</span>
    </p>
  );
}
