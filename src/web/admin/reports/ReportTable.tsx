import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../shared/counts';
import { pageSize } from '../../../shared/paging';
import { reportLabels, reportMessages } from '../../../shared/reports';
import { Pagination } from '../../ui/Pagination';
import table from '../table/DataTable.module.css';
import box from '../ui/box.module.css';
import type { Report, ReportRow } from './queries';
import styles from './reports.module.css';
import { isNamed, isCurrentMonth, moneyOf, netOf, ordersOf } from './rows';

/** Months are shown by year. */
const rowsOnPage = (by: Report['by']) => (by === 'month' ? 12 : pageSize);
export const pagesOf = ({ by, totalRows }: Report): number => Math.ceil(totalRows / rowsOnPage(by));

type Part = 'goods' | 'discounts' | 'delivery' | 'tax' | 'refunds';

/** Leaves out parts that are 0 in the period. */
function partsOf({ sum }: Report): Part[] {
  const parts = ['goods', 'discounts', 'delivery', 'tax', 'refunds'] as const;
  return parts.filter((part) => part === 'goods' || part === 'refunds' || sum[part] !== 0);
}

const partLabels: Record<Part, string> = {
  goods: 'Gross sales',
  discounts: 'Discounts',
  delivery: 'Delivery',
  tax: 'Tax',
  refunds: 'Refunds',
};

/** One page of rows, and the sum of all rows. */
export function ReportTable({ report, page }: { report: Report; page: number }) {
  const { by, rows, totalRows } = report;
  const first = (page - 1) * rowsOnPage(by);
  const shown = by === 'month' ? rows.slice(first, first + rowsOnPage(by)) : rows;
  const parts = partsOf(report);
  const isByLine = by === 'product' || by === 'category';
  const units = isByLine ? 'Units' : 'Orders';
  return (
    <section className={`${box['box']} ${table['box']}`} aria-label={`Sales by ${by}`}>
      <table className={`${box['table']} ${table['table']} ${styles['table']}`}>
        <caption className="sr-only">{`Sales by ${by}`}</caption>
        <thead>
          <tr>
            {isByLine && <th scope="col">#</th>}
            <th scope="col">{reportLabels[by]}</th>
            {[units, ...parts.map((part) => partLabels[part]), 'Net total'].map((label) => (
              <th key={label} scope="col" className={table['figure']}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, place) => (
            <tr key={row.key}>
              {isByLine && <td className={table['number']}>{isNamed(row) && first + place + 1}</td>}
              <td className={table['titleOnPhone']}>
                <Link to="/ordered/products" search={ordersOf(report, row)} className={`link ${styles['name']}`}>
                  {row.name}
                </Link>
                {isCurrentMonth(report, row) && <span className={styles['soFar']}> {reportMessages.soFar}</span>}
              </td>
              <Figures row={row} units={units} parts={parts} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={isByLine ? 2 : 1} className={styles['sum']}>
              Total
            </th>
            <Figures row={report.sum} units={units} parts={parts} />
          </tr>
        </tfoot>
      </table>
      {pagesOf(report) > 1 && (
        <div className={table['foot']}>
          <span className="tabular">
            {first + 1}–{first + shown.length} of {formatCount(totalRows)}
          </span>
          <Pagination page={page} totalPages={pagesOf(report)} />
        </div>
      )}
      {isByLine && report.sum.delivery !== 0 && <p className={styles['note']}>{reportMessages.ofDelivery}</p>}
    </section>
  );
}

type FigureProps = { row: Omit<ReportRow, 'key' | 'name'>; units: string; parts: readonly Part[] };

function Figures({ row, units, parts }: FigureProps) {
  return (
    <>
      <td className={table['figure']} data-name={units}>
        {row.units === 0 ? '–' : formatCount(row.units)}
      </td>
      {parts.map((part) => (
        <td
          key={part}
          className={`${table['figure']} ${part === 'goods' ? '' : `${table['muted']} ${table['hiddenOnPhone']}`}`}
          data-name={partLabels[part]}
        >
          {moneyOf(row[part], { isTaken: part === 'discounts' || part === 'refunds' })}
        </td>
      ))}
      <td className={`${table['figure']} ${styles['net']}`} data-name="Net total">
        {netOf(row.net)}
      </td>
    </>
  );
}
