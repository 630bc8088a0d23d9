import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { formatCount } from '../../../shared/counts';
import { ReadFailure } from '../../connection/ReadFailure';
import { ActionButton } from '../../ui/ActionButton';
import { Button } from '../../ui/Button';
import { SkeletonRows } from '../../ui/SkeletonRows';
import { Waiting } from '../../ui/Waiting';
import form from '../ui/form.module.css';
import { timeOf } from '../ui/dates';
import { type StaffProduct, stockQuery } from './queries';
import { StockDialog } from './StockDialog';
import styles from './StockLedger.module.css';

/**
 * The history of the stock: holds, sales, releases and adjustments, newest first.
 * Rule: docs/rules/catalog.md, Stock
 */
export function StockLedger({ product }: { product: StaffProduct }) {
  const [page, setPage] = useState(1);
  const [isAdjusting, setAdjusting] = useState(false);
  const query = useQuery(stockQuery(product.id, page));
  const { data, error } = query;
  return (
    <section className={form['box']} aria-labelledby="stock-heading">
      <div className={styles['head']}>
        <h2 id="stock-heading" className={form['heading']}>
          Stock
        </h2>
        <Button variant="outline" onClick={() => setAdjusting(true)}>
          Adjust stock
        </Button>
      </div>
      {data && (
        <p className={styles['now']}>
          <b>{formatCount(data.quantity)}</b> in stock
          {data.held > 0 && `, plus ${formatCount(data.held)} reserved for open orders`}
        </p>
      )}
      {data && <Movements rows={data.movements.content} />}
      {data && data.movements.totalPages > 1 && (
        <div className={styles['pages']}>
          <ActionButton variant="ghost" isOff={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </ActionButton>
          <span className="tabular">
            {formatCount(page)} of {formatCount(data.movements.totalPages)}
          </span>
          <ActionButton variant="ghost" isOff={page >= data.movements.totalPages} onClick={() => setPage(page + 1)}>
            Older
          </ActionButton>
        </div>
      )}
      {!data && error && (
        <ReadFailure
          read={query}
          failure={catalogStaffMessages.listStockMovements.failure}
          back={{ to: '/products', label: 'Products' }}
        />
      )}
      {!data && !error && (
        <Waiting what="stock">
          <SkeletonRows />
        </Waiting>
      )}
      {isAdjusting && (
        <StockDialog
          product={product}
          quantity={data?.quantity ?? product.quantity}
          onClose={() => setAdjusting(false)}
        />
      )}
    </section>
  );
}

type Movement = Schema<'StockMovement'>;
const kinds: Record<Movement['kind'], string> = {
  hold: 'Reserved',
  sale: 'Sold',
  release: 'Released',
  adjustment: 'Adjusted',
};

function Movements({ rows }: { rows: Movement[] }) {
  return (
    <table className={styles['ledger']}>
      <caption className="sr-only">Stock history</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Type</th>
          <th scope="col">Reason</th>
          <th scope="col">Change</th>
          <th scope="col">In stock</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td className={styles['when']}>{timeOf(row.at)}</td>
            <td>{kinds[row.kind]}</td>
            <td className={styles['why']}>
              <Why {...row} />
            </td>
            <td data-name="Change">{row.shelf > 0 ? `+${formatCount(row.shelf)}` : formatCount(row.shelf)}</td>
            <td data-name="In stock">{formatCount(row.quantityAfter)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Why({ reason, by, orderId, orderNumber }: Movement) {
  return (
    <>
      {orderId && (
        <Link to="/admin/orders/$orderId" params={{ orderId }} className="link">
          Order #{orderNumber}
        </Link>
      )}
      {orderId && reason && ': '}
      {reason}
      {by && <small>{by}</small>}
    </>
  );
}
