import { formatMoney, toCents } from '../../shared/money';
import styles from './Price.module.css';

/** Dollars with two decimals, in tabular figures. */
export function Price({ cents, large, muted }: { cents: number; large?: boolean; muted?: boolean }) {
  return (
    <span className={`tabular ${large ? 'text-price-lg' : 'text-price'} ${muted ? 'muted' : ''}`}>
      {formatMoney(cents)}
    </span>
  );
}

/** Beside a price; nothing for a product without a net amount. */
export const UnitPrice = ({ children }: { children: string | undefined }) =>
  children && <span className={`tabular muted ${styles['beside']}`}>{children}</span>;

/** The former price of a product on sale, in dollars; nothing for other products. */
export const Was = ({ price }: { price: number | undefined }) =>
  price && <s className={`tabular muted ${styles['beside']}`}>{`Was ${formatMoney(toCents(price))}`}</s>;
