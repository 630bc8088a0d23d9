import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { countOf, formatCount } from '../../../shared/counts';
import { taxMessages as messages } from '../../../shared/tax';
import { stateName } from '../../../shared/usStates';
import { Button } from '../../ui/Button';
import { moneyOf, netOf } from '../reports/rows';
import type { Collected, Days } from './queries';
import { ratesInWords, type Sums, sumOf } from './remit';
import box from '../ui/box.module.css';
import tax from './tax.module.css';
import styles from './taxReport.module.css';

const columns = ['Orders', 'Gross', 'Exempt', 'Taxable', 'Rate', 'Tax', 'Refunded', 'To remit'] as const;
/** States without a rate that are shown before the others are asked for. */
const shownAtFirst = 2;

/** The states with a rate, then those without. The figures link to their orders. */
export function RemitTable({ rows, days }: { rows: readonly Collected[]; days: Days }) {
  const [isWhole, setWhole] = useState(false);
  const collecting = rows.filter(({ rates }) => rates.length > 0);
  const others = rows.filter(({ rates }) => rates.length === 0);
  const isCut = !isWhole && others.length > shownAtFirst + 1;
  const hidden = isCut ? others.slice(shownAtFirst) : [];
  const shown = [...collecting, ...(isCut ? others.slice(0, shownAtFirst) : others)];
  return (
    <section className={box['box']} aria-labelledby="tax-by-state">
      <header>
        <h2 id="tax-by-state" tabIndex={-1}>
          By state
        </h2>
        {isCut && (
          <Button
            variant="outline"
            size="sm"
            onClick={() => {
              setWhole(true);
              document.getElementById('tax-by-state')?.focus();
            }}
          >
            Show all states
          </Button>
        )}
      </header>
      <table className={`${box['table']} ${tax['table']} ${tax['listed']} ${styles['table']}`}>
        <caption className="sr-only">Sales tax by state</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            {columns.map((name) => (
              <th key={name} scope="col" className={tax['figure']}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <StateRow key={row.state} row={row} days={`${days.from}_${days.to}`} />
          ))}
          {hidden.length > 0 && (
            <Row name={`${hidden.length} other states`} isCollecting={false} sums={sumOf(hidden)} rates="–" />
          )}
        </tbody>
        <tfoot>
          <Row name="All states" sums={sumOf(rows)} rates="" />
        </tfoot>
      </table>
      <p className={tax['note']}>{messages.remitNote}</p>
    </section>
  );
}

function StateRow({ row, days }: { row: Collected; days: string }) {
  const { state, orders, refunded, rates } = row;
  const name = stateName(state);
  const ordersLink = (
    <Link
      to="/ordered/products"
      search={{ by: 'paid', days, state }}
      aria-label={`${countOf(orders, 'order')} in ${name}`}
    >
      {formatCount(orders)}
    </Link>
  );
  const refundedLink = (
    <Link
      to="/ordered/products"
      search={{ by: 'refunded', days, taxState: state }}
      aria-label={`${moneyOf(-refunded)}, refunded orders in ${name}`}
    >
      {moneyOf(-refunded)}
    </Link>
  );
  return (
    <Row
      name={name}
      isCollecting={rates.length > 0}
      sums={row}
      rates={ratesInWords(rates)}
      orders={orders > 0 && ordersLink}
      refunded={refunded > 0 && refundedLink}
    />
  );
}

interface RowProps {
  name: string;
  isCollecting?: boolean;
  sums: Sums;
  rates: string;
  /** Links in place of the figures. */
  orders?: ReactNode;
  refunded?: ReactNode;
}

function Row({ name, isCollecting = true, sums, rates, orders, refunded }: RowProps) {
  const cells: [name: (typeof columns)[number], content: ReactNode, className?: string | undefined][] = [
    ['Orders', orders || (sums.orders === 0 ? '–' : formatCount(sums.orders))],
    ['Gross', moneyOf(sums.gross)],
    ['Exempt', moneyOf(sums.exempt), 'muted'],
    ['Taxable', moneyOf(sums.taxable)],
    ['Rate', rates, 'muted'],
    ['Tax', moneyOf(sums.tax)],
    ['Refunded', refunded || moneyOf(-sums.refunded), 'muted'],
    ['To remit', isCollecting ? netOf(sums.toRemit) : '–', tax['strong']],
  ];
  return (
    <tr>
      <th scope="row">
        {name}
        {!isCollecting && <span className={styles['sub']}>{messages.notCollecting}</span>}
      </th>
      {cells.map(([column, content, className = '']) => (
        <td
          key={column}
          className={`${tax['figure']} ${className} ${content === '–' || content === '' ? styles['empty'] : ''}`}
          data-name={column}
        >
          {content}
        </td>
      ))}
    </tr>
  );
}
