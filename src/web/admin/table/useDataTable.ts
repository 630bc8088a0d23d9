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
  /** Figures stand at the right. */
  isFigure?: true;
  /** In a list on a phone: the line of its own on top, or beside its word, or not at all. */
  onPhone?: 'title' | 'named' | 'hidden';
  /** Less important than the others. */
  isMuted?: true;
}

const columnMeta: ColumnMeta = {}; // only its type counts

/** What all tables of the back office can do. The server sorts, filters and cuts into pages; the table only asks. */
export const features = tableFeatures({
  rowSortingFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  columnMeta,
});

/** How a column's cells look. */
interface Look<Row> extends Omit<ColumnMeta, 'isFigure'> {
  draw: (row: Row) => ReactNode;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each column has a value of its own kind
type Columns<Row extends ListRow> = ColumnDef<typeof features, Row, any>[];
export type ListTable<Row extends ListRow> = ReactTable<typeof features, Row>;

/** @param menu what can be done with a row: the last column, which its rows say in words */
export function columnsOf<List extends StaffList, Row extends ListRow>(
  { isNumbered, columns }: List,
  looks: Readonly<Record<ColumnOf<List>, Look<Row>>>,
  menu?: (row: Row) => ReactNode,
): Columns<Row> {
  const { accessor, display } = createColumnHelper<typeof features, Row>();
  const shown = Object.entries(columns).map(([id, { label, isSortable = false, isFigure }]) => {
    const { draw, ...meta }: Look<Row> = looks[id as ColumnOf<List>];
    return accessor((row) => row, {
      id,
      header: label,
      enableSorting: isSortable,
      cell: ({ row: { original } }) => draw(original),
      meta: { ...meta, ...(isFigure && { isFigure }) },
    });
  });
  return [
    ...(isNumbered ? [display({ id: 'number', header: '#' })] : []),
    ...shown,
    ...(menu ? [display({ id: 'menu', header: 'Menu', cell: ({ row: { original } }) => menu(original) })] : []),
  ];
}

interface Page<Row> {
  content: Row[];
  totalPages: number;
  totalElements: number;
}

export interface DataTableProps<Row extends ListRow> {
  columns: Columns<Row>;
  /** The answer of the list's query, and what became of it. */
  list: { data: Page<Row> | undefined; error: unknown; refetch: () => unknown; isPlaceholderData: boolean };
  search: ReturnType<typeof useTableSearch>;
  /** The row in words, for those who hear it: a product's name. */
  rowName: (row: Row) => string;
  /** What is said when there are no rows, and when they could not be had. */
  empty: string;
  failure: string;
  filters?: readonly Filter[];
  /** What else is chosen beside the filters: a period of figures. */
  chips?: ReactNode;
  bulkActions?: readonly BulkAction[];
  /** The page's own buttons at the end of the tools. */
  tools?: ReactNode;
  /** Asks for the list's file: exactly the rows that it is filtered to, all pages of them. */
  readFile?: () => Promise<string>;
  /** Rows with an 80 px picture are higher. */
  hasPictures?: boolean;
  /** The row to highlight: the one whose page was just left, or a new one. */
  isMarked?: (row: Row) => boolean;
}

const noRows: never[] = [];

/** The table's state is the address's, but for the selection, which a row that has gone is no part of. */
export function useDataTable<Row extends ListRow>({ columns, list, search }: DataTableProps<Row>) {
  const [asked, change] = search;
  const [rowSelection, select] = useSelection(asked);
  const { data, isPlaceholderData } = list;
  const shown = useRef<{ asked: TableSearch; totalElements: number; ids: string[] }>(undefined);
  useEffect(() => {
    if (!data || isPlaceholderData) return;
    const [before, now] = [
      shown.current,
      { asked, totalElements: data.totalElements, ids: data.content.map(({ id }) => id) },
    ];
    shown.current = now;
    // a list that grew moved rows to the next page
    if (before?.asked !== asked || now.totalElements >= before.totalElements) return;
    const gone = before.ids.filter((id) => !now.ids.includes(id));
    select((selected) => Object.fromEntries(Object.entries(selected).filter(([id]) => !gone.includes(id))));
    // oxlint-disable-next-line react/exhaustive-deps -- `select` is made anew each time
  }, [data, isPlaceholderData, asked]);
  const sorting = asked.sort ? [asked.sort] : [];
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
    state: { sorting, rowSelection, pagination: { pageIndex: asked.page - 1, pageSize: asked.size } },
    onRowSelectionChange: select,
    onSortingChange: (next) => change({ sort: functionalUpdate(next, sorting)[0] }),
  });
  const selectedIds = Object.keys(rowSelection).filter((id) => rowSelection[id]);
  return { table, selectedIds, clearSelection: () => select({}) };
}

/** What was selected at each entry of the tab's history, as long as the tab lives. */
const kept = new Map<string, RowSelectionState>();

/**
 * The selected rows by their ids. They stay while pages are turned, go when other rows are asked for, and are back when
 * Back leads to them.
 */
function useSelection({ q, filters }: TableSearch) {
  const key = useHistoryKey();
  const scope = JSON.stringify([q, filters]);
  const [state, setState] = useState(() => ({ key, scope, selection: kept.get(key) ?? {} }));
  if (state.key !== key || state.scope !== scope) {
    const before = state.key === key ? undefined : kept.get(key);
    setState({ key, scope, selection: before ?? (state.scope === scope ? state.selection : {}) });
  }
  useEffect(() => void kept.set(state.key, state.selection), [state]);
  const select = (next: Updater<RowSelectionState>) =>
    setState((before) => ({
      ...before,
      selection: typeof next === 'function' ? next(before.selection) : next,
    }));
  return [state.selection, select] as const;
}
