import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../shared/counts';
import { pageSize } from '../../../shared/paging';
import { figureLabels, reportMessages as messages, type SalesFigure, summaryLabels } from '../../../shared/reports';
import { Pagination } from '../../ui/Pagination';
import { ExportButton } from '../table/ExportButton';
import table from '../table/DataTable.module.css';
import box from '../ui/box.module.css';
import { Choice } from './Choice';
import {
  exportSummary,
  type Summary,
  type SummaryRequest,
  type SummaryRow,
  type SummaryView,
  summaryViews,
} from './queries';
import styles from './reports.module.css';
import { figureOf, isCurrentMonth, marginOf, ordersOf } from './rows';

const shownFigures: Record<SummaryView, readonly SalesFigure[]> = {
  sales: ['grossSales', 'discounts', 'returns', 'netSales', 'delivery', 'tax', 'total'],
  profit: ['netSales', 'costOfGoods', 'grossProfit'],
};
/** The figure that a row is about. */
const mainFigures: Record<SummaryView, SalesFigure> = { sales: 'netSales', profit: 'grossProfit' };

interface Props {
  summary: Summary;
  request: SummaryRequest;
  page: number;
  onChoose: (wanted: SummaryRequest) => void;
}

/** The summary's figures by product, category, state, code, month or day. */
export function SalesTable({ summary, request, page, onChoose }: Props) {
  const { rows = [], totalRows = 0 } = summary;
  const { by, show } = request;
  const title = `${summaryViews[show]} by ${by}`;
  const first = (page - 1) * pageSize;
  return (
    <>
      <div className={styles['choice']}>
        <Choice
          legend="Rows"
          name="summary-by"
          labels={summaryLabels}
          chosen={by}
          onChoose={(wanted) => onChoose({ ...request, by: wanted })}
        />
        <Choice
          legend="Figures"
          name="summary-show"
          labels={summaryViews}
          chosen={show}
          onChoose={(wanted) => onChoose({ ...request, show: wanted })}
        />
      </div>
      <section className={`${box['box']} ${table['box']}`} aria-labelledby="sales-rows">
        <header>
          <h2 id="sales-rows">{title}</h2>
          <ExportButton label="CSV" fileName={`sales-by-${by}.csv`} read={async () => exportSummary(request, by)} />
        </header>
        {totalRows === 0 && <p className={styles['none']}>{messages.nothing}</p>}
        {totalRows > 0 && <Rows summary={summary} shown={rows} show={show} title={title} />}
        {totalRows > pageSize && (
          <div className={table['foot']}>
            <span className="tabular">
              {first + 1}–{first + rows.length} of {formatCount(totalRows)}
            </span>
            <Pagination page={page} totalPages={Math.ceil(totalRows / pageSize)} />
          </div>
        )}
      </section>
    </>
  );
}

interface RowsProps {
  summary: Summary;
  shown: readonly SummaryRow[];
  show: SummaryView;
  title: string;
}

function Rows({ summary, shown, show, title }: RowsProps) {
  const { by = 'product' } = summary;
  const figures = shownFigures[show].filter((figure) => figure === mainFigures[show] || summary[figure] !== 0);
  const margins = show === 'profit' ? ['Margin'] : [];
  return (
    <table className={`${box['table']} ${table['table']} ${styles['table']}`}>
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{summaryLabels[by]}</th>
          {['Units', ...figures.map((figure) => figureLabels[figure]), ...margins].map((label) => (
            <th key={label} scope="col" className={table['figure']}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <tr key={row.key}>
            <td className={table['titleOnPhone']}>
              {by === 'code' && row.key === 'none' ? (
                row.name
              ) : (
                <Link to="/ordered/products" search={ordersOf(summary, row)} className={`link ${styles['name']}`}>
                  {row.name}
                </Link>
              )}
              {isCurrentMonth(summary, row) && <span className={styles['soFar']}> {messages.soFar}</span>}
            </td>
            <Cells row={row} figures={figures} show={show} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" className={styles['sum']}>
            Total
          </th>
          <Cells row={summary} figures={figures} show={show} />
        </tr>
      </tfoot>
    </table>
  );
}

interface CellsProps {
  row: Omit<SummaryRow, 'key' | 'name'>;
  figures: readonly SalesFigure[];
  show: SummaryView;
}

function Cells({ row, figures, show }: CellsProps) {
  const main = mainFigures[show];
  return (
    <>
      <td className={table['figure']} data-name="Units">
        {row.units === 0 ? '–' : formatCount(row.units)}
      </td>
      {figures.map((figure) => (
        <td
          key={figure}
          className={`${table['figure']} ${figure === main ? styles['net'] : table['muted']}`}
          data-name={figureLabels[figure]}
        >
          {figureOf(figure, row[figure])}
        </td>
      ))}
      {show === 'profit' && (
        <td className={`${table['figure']} ${table['muted']}`} data-name="Margin">
          {marginOf(row)}
        </td>
      )}
    </>
  );
}
