import type { RowData } from '@tanstack/react-table';
import { type ReactNode, useEffect } from 'react';
import { useHonestSentence } from '../../offline/useHonestSentence';
import { FailureNotice } from '../../ui/FailureNotice';
import { BulkBar, type BulkAction } from './BulkBar';
import styles from './DataTable.module.css';
import type { Filter } from './FilterChip';
import { TableFoot } from './TableFoot';
import { TableHead } from './TableHead';
import { TableRows } from './TableRows';
import { Toolbar } from './Toolbar';
import { type Columns, useDataTable } from './useDataTable';
import type { useTableSearch } from './tableSearch';

interface Page<Row> {
  content: Row[];
  totalPages: number;
  totalElements: number;
}

export interface DataTableProps<Row extends RowData> {
  /** What the rows are: 'Products'. */
  label: string;
  columns: Columns<Row>;
  /** The answer of the list's query, and what became of it. */
  list: { data: Page<Row> | undefined; error: unknown; refetch: () => unknown; isPlaceholderData: boolean };
  search: ReturnType<typeof useTableSearch>;
  rowId: (row: Row) => string;
  /** The row in words, for those who hear it: a product's name. */
  rowName: (row: Row) => string;
  /** What is said when there are no rows, and when they could not be had. */
  empty: string;
  failure: string;
  /** The label of the search field; without it there is none. */
  searchLabel?: string;
  filters?: readonly Filter[];
  bulkActions?: readonly BulkAction<Row>[];
  /** The page's own buttons at the end of the tools: an export. */
  tools?: ReactNode;
  /** Rows with an 80 px picture are higher. */
  hasPictures?: boolean;
  /** What to tint: the row whose page was just left, or a new one. */
  isMarked?: (row: Row) => boolean;
}

/**
 * A list of the back office: its search, filters, order, page and selection, and the rows. The server does the work and
 * the address says what was asked for. Below 1024 px the same rows are drawn as a list.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, list, empty, failure, hasPictures = false, bulkActions = [], rowId } = props;
  const { data, error, refetch, isPlaceholderData } = list;
  const [search] = props.search;
  const { table, selectedIds, clearSelection } = useDataTable(props);
  const sentence = useHonestSentence(failure);
  const isPastEnd = useExistingPage(props);
  const isWaiting = (!data && !error) || isPlaceholderData || isPastEnd;
  const selected = (data?.content ?? []).filter((row) => selectedIds.includes(rowId(row)));
  return (
    <section className={styles['box']} aria-label={label} aria-busy={isWaiting}>
      <Toolbar {...props} table={table} />
      {selectedIds.length > 0 && (
        <BulkBar
          ids={selectedIds}
          rows={selected}
          actions={bulkActions}
          onSelectPage={() => table.toggleAllPageRowsSelected(true)}
          onClear={clearSelection}
        />
      )}
      {!data && error !== null && (
        <div className={styles['state']}>
          <FailureNotice sentence={sentence} onRetry={refetch} />
        </div>
      )}
      {(data || !error) && (
        <table
          className={`${styles['table']} ${hasPictures ? styles['pictures'] : ''} ${bulkActions.length > 0 ? styles['selectable'] : ''}`}
        >
          <caption className="sr-only">{label}</caption>
          <TableHead table={table} hasSelection={bulkActions.length > 0} />
          <TableRows {...props} table={table} hasSelection={bulkActions.length > 0} isWaiting={isWaiting} />
        </table>
      )}
      {data?.content.length === 0 && !isPastEnd && <output className={styles['state']}>{empty}</output>}
      {data && data.content.length > 0 && (
        <TableFoot page={search.page} size={search.size} {...data} onSize={(size) => props.search[1]({ size })} />
      )}
    </section>
  );
}

/**
 * Leads to the last page when the one in the address is past it: its rows have gone since, or are on other pages.
 * @returns whether it is
 */
function useExistingPage<Row extends RowData>({ list, search: [{ page }, change] }: DataTableProps<Row>): boolean {
  const { data, isPlaceholderData } = list;
  const last = data && !isPlaceholderData ? Math.max(1, data.totalPages) : page;
  useEffect(() => {
    if (page > last) change({ page: last }, { replace: true });
    // oxlint-disable-next-line react/exhaustive-deps -- `change` is made anew each time
  }, [page, last]);
  return page > last;
}
