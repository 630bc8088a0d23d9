import {
  type ColumnDef,
  functionalUpdate,
  type ReactTable,
  type RowData,
  type SortingState,
  useTable,
} from '@tanstack/react-table';
import type { DataTableProps } from './DataTable';
import { features } from './features';
import { useSelection } from './useSelection';

// oxlint-disable-next-line typescript/no-explicit-any -- each column has a value of its own kind
export type Columns<Row extends RowData> = ColumnDef<typeof features, Row, any>[];
export type ListTable<Row extends RowData> = ReactTable<typeof features, Row>;

const noRows: never[] = [];

/** The table's state is the address's, but for the selection. */
export function useDataTable<Row extends RowData>({ columns, list, search, rowId }: DataTableProps<Row>) {
  const [asked, change] = search;
  const [rowSelection, select] = useSelection(asked);
  const sorting = sortingOf(asked.sort);
  const table = useTable({
    features,
    columns,
    data: list.data?.content ?? (noRows as Row[]),
    rowCount: list.data?.totalElements ?? 0,
    getRowId: rowId,
    manualSorting: true,
    manualPagination: true,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting, rowSelection, pagination: { pageIndex: asked.page - 1, pageSize: asked.size } },
    onRowSelectionChange: select,
    onSortingChange: (next) => change({ sort: sortOf(functionalUpdate(next, sorting)) }),
  });
  const selectedIds = Object.keys(rowSelection).filter((id) => rowSelection[id]);
  return { table, selectedIds, clearSelection: () => select({}) };
}

const sortingOf = (sort: string | undefined): SortingState =>
  sort === undefined ? [] : [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }];

const sortOf = ([first]: SortingState): string | undefined => first && `${first.desc ? '-' : ''}${first.id}`;
