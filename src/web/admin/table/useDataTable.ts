import {
  type ColumnDef,
  createColumnHelper,
  functionalUpdate,
  type ReactTable,
  type RowData,
  rowPaginationFeature,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ColumnOf, StaffList } from '../../../shared/staffList';
import type { BulkAction } from './BulkBar';
import { type Filter, type TableSearch, useHistoryKey, type useTableSearch } from './tableSearch';

export type ListRow = RowData & { id: string };

export interface ColumnMeta {
  /** Numbers, aligned right. */
  isFigure?: true;
  /** In a phone's list: a title on its own line, a value with its label, or not shown. */
  onPhone?: 'title' | 'named' | 'hidden';
  /** Less important than the others. */
  isMuted?: true;
}

const columnMeta: ColumnMeta = {}; // only its type is used

/** The features of all back-office tables. The server sorts, filters and pages; the table only requests it. */
export const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  columnMeta,
});

/** How a column's cells look. */
interface Look<Row> extends Omit<ColumnMeta, 'isFigure'> {
  render: (row: Row) => ReactNode;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each column has its own value type
type Columns<Row extends ListRow> = ColumnDef<typeof features, Row, any>[];
export type ListTable<Row extends ListRow> = ReactTable<typeof features, Row>;

/** @param menu renders a row's menu, in the last column */
export function columnsOf<List extends StaffList, Row extends ListRow>(
  { isNumbered, columns }: List,
  looks: Readonly<Record<ColumnOf<List>, Look<Row>>>,
  menu?: (row: Row) => ReactNode,
): Columns<Row> {
  const { accessor, display } = createColumnHelper<typeof features, Row>();
  const shown = Object.entries(columns).map(([id, { label, isSortable = false, isFigure }]) => {
    const { render, ...meta }: Look<Row> = looks[id as ColumnOf<List>];
    return accessor((row) => row, {
      id,
      header: label,
      enableSorting: isSortable,
      cell: ({ row: { original } }) => render(original),
      meta: { ...meta, ...(isFigure && { isFigure }) },
    });
  });
  return [
    ...(isNumbered ? [display({ id: 'number', header: '#' })] : []),
    ...shown,
    ...(menu ? [display({ id: 'menu', header: 'Actions', cell: ({ row: { original } }) => menu(original) })] : []),
  ];
}

interface Page<Row> {
  content: Row[];
  totalPages: number;
  totalElements: number;
}

export interface DataTableProps<Row extends ListRow> {
  columns: Columns<Row>;
  /** The list's query. */
  list: { data: Page<Row> | undefined; error: unknown; refetch: () => unknown; isPlaceholderData: boolean };
  search: ReturnType<typeof useTableSearch>;
  /** A row's name for screen readers, such as a product's name. */
  rowName: (row: Row) => string;
  /** The messages for no rows, and for a failed request. */
  empty: string;
  failure: string;
  filters?: readonly Filter[];
  /** Other choices beside the filters, such as a period. */
  chips?: ReactNode;
  bulkActions?: readonly BulkAction[];
  /** The page's own buttons at the end of the toolbar. */
  tools?: ReactNode;
  /** Fetches the list's file: exactly the filtered rows, of all pages. `form` is one of the file's. */
  readFile?: (form?: string) => Promise<string>;
  /** Rows with an 80 px picture are taller. */
  hasPictures?: boolean;
  /** The row to highlight: the one whose page was just left, or a new one. */
  isMarked?: (row: Row) => boolean;
}

const noRows: never[] = [];

/** The table's state is in the URL, except the selection, from which removed rows are dropped. */
export function useDataTable<Row extends ListRow>({ columns, list, search }: DataTableProps<Row>) {
  const [view, change] = search;
  const [rowSelection, select] = useSelection(view);
  const { data, isPlaceholderData } = list;
  const shown = useRef<{ view: TableSearch; totalElements: number; ids: string[] }>(undefined);
  useEffect(() => {
    if (!data || isPlaceholderData) return;
    const [before, now] = [
      shown.current,
      { view, totalElements: data.totalElements, ids: data.content.map(({ id }) => id) },
    ];
    shown.current = now;
    // a list that grew moved rows to the next page
    if (before?.view !== view || now.totalElements >= before.totalElements) return;
    const gone = before.ids.filter((id) => !now.ids.includes(id));
    select((selected) => Object.fromEntries(Object.entries(selected).filter(([id]) => !gone.includes(id))));
    // oxlint-disable-next-line react/exhaustive-deps -- `select` is a new function at each render
  }, [data, isPlaceholderData, view]);
  const sorting = view.sort ? [view.sort] : [];
  const table = useTable({
    features,
    columns,
    data: data?.content ?? (noRows as Row[]),
    rowCount: data?.totalElements ?? 0,
    getRowId: ({ id }) => id,
    manualSorting: true,
    manualPagination: true,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting, rowSelection, pagination: { pageIndex: view.page - 1, pageSize: view.size } },
    onRowSelectionChange: select,
    onSortingChange: (next) => change({ sort: functionalUpdate(next, sorting)[0] }),
  });
  const selectedIds = Object.keys(rowSelection).filter((id) => rowSelection[id]);
  return { table, selectedIds, clearSelection: () => select({}) };
}

/** The selection of each history entry of this tab, for the lifetime of the document. */
const selections = new Map<string, RowSelectionState>();

/**
 * The selected rows by id. The selection survives paging, is cleared when the search or filters change, and is restored
 * by Back.
 */
function useSelection({ q, filters }: TableSearch) {
  const key = useHistoryKey();
  const scope = JSON.stringify([q, filters]);
  const [state, setState] = useState(() => ({ key, scope, selection: selections.get(key) ?? {} }));
  if (state.key !== key || state.scope !== scope) {
    const before = state.key === key ? undefined : selections.get(key);
    setState({ key, scope, selection: before ?? (state.scope === scope ? state.selection : {}) });
  }
  useEffect(() => void selections.set(state.key, state.selection), [state]);
  const select = (next: Updater<RowSelectionState>) =>
    setState((before) => ({
      ...before,
      selection: typeof next === 'function' ? next(before.selection) : next,
    }));
  return [state.selection, select] as const;
}
