import { formatMoney } from '../../shared/money';

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
  children && <span className="tabular muted">{children}</span>;
