import { formatCount } from '../../../shared/counts';
import { ReadFailure } from '../../connection/ReadFailure';
import { Pagination } from '../../ui/Pagination';
import { toDashboard } from '../ui/AdminHead';
import { BulkBar } from './BulkBar';
import box from '../ui/box.module.css';
import styles from './DataTable.module.css';
import { TableHead, TableRows } from './TableRows';
import { pageSizes } from './tableSearch';
import { Toolbar } from './Toolbar';
import { type DataTableProps, type ListRow, useDataTable } from './useDataTable';
import { useExistingPage } from './useExistingPage';

/**
 * A list of the back office with search, filters, sorting, pages and selection. The server does the work, and the URL
 * has the state. Below 1024 px the same rows render as a list.
 */
export function DataTable<Row extends ListRow>(props: DataTableProps<Row>) {
  const { list, empty, failure, hasPictures = false, bulkActions = [] } = props;
  const { data, error, isPlaceholderData } = list;
  const [search, change, { label }] = props.search;
  const { table, selectedIds, clearSelection } = useDataTable(props);
  const totalPages = isPlaceholderData ? undefined : data?.totalPages;
  const isPastEnd = useExistingPage(search.page, totalPages, (page) => change({ page }, { replace: true }));
  const isWaiting = (!data && !error) || isPlaceholderData || isPastEnd;
  return (
    <>
      <output className="sr-only">{!data && !error && `Loading ${label}`}</output>
      <section className={`${box['box']} ${styles['box']}`} aria-label={label} aria-busy={isWaiting}>
        <Toolbar {...props} table={table} />
        {selectedIds.length > 0 && (
          <BulkBar
            ids={selectedIds}
            actions={bulkActions}
            onSelectPage={() => table.toggleAllPageRowsSelected(true)}
            onClear={clearSelection}
          />
        )}
        {!data && error !== null && (
          <div className={box['state']}>
            <ReadFailure read={list} failure={failure} back={toDashboard} />
          </div>
        )}
        {(data || !error) && (
          <table
            className={`${box['table']} ${styles['table']} ${hasPictures ? styles['pictures'] : ''} ${bulkActions.length > 0 ? styles['selectable'] : ''}`}
          >
            <caption className="sr-only">{label}</caption>
            <TableHead table={table} hasSelection={bulkActions.length > 0} />
            <TableRows {...props} table={table} hasSelection={bulkActions.length > 0} isWaiting={isWaiting} />
          </table>
        )}
        {data?.content.length === 0 && !isPastEnd && <output className={box['state']}>{empty}</output>}
        {data && data.content.length > 0 && (
          <TableFoot page={search.page} size={search.size} {...data} onSize={(size) => change({ size })} />
        )}
      </section>
    </>
  );
}

interface FootProps {
  page: number;
  size: number;
  content: readonly unknown[];
  totalPages: number;
  totalElements: number;
  onSize: (size: number) => void;
}

/** The range of rows shown, the page size, and the pages. */
function TableFoot({ page, size, content, totalPages, totalElements, onSize }: FootProps) {
  const first = (page - 1) * size + 1;
  return (
    <div className={styles['foot']}>
      <span className="tabular">
        {formatCount(first)}–{formatCount(first + content.length - 1)} of {formatCount(totalElements)}
      </span>
      {totalElements > pageSizes[0] && (
        <label className={styles['size']}>
          Rows per page
          <select value={size} onChange={(event) => onSize(Number(event.currentTarget.value))}>
            {pageSizes.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      <Pagination page={page} totalPages={totalPages} isAlwaysThere />
    </div>
  );
}
