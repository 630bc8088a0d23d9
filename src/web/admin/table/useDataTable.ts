import {
  type ColumnDef,
  functionalUpdate,
  type ReactTable,
  type RowData,
  type SortingState,
  useTable,
} from '@tanstack/react-table';
import { useEffect, useRef } from 'react';
import type { DataTableProps } from './DataTable';
import { features } from './features';
import type { TableSearch } from './tableSearch';
import { useSelection } from './useSelection';

// oxlint-disable-next-line typescript/no-explicit-any -- each column has a value of its own kind
export type Columns<Row extends RowData> = ColumnDef<typeof features, Row, any>[];
export type ListTable<Row extends RowData> = ReactTable<typeof features, Row>;

const noRows: never[] = [];

/** The table's state is the address's, but for the selection, which a row that has gone is no part of. */
export function useDataTable<Row extends RowData>({ columns, list, search, rowId }: DataTableProps<Row>) {
  const [asked, change] = search;
  const [rowSelection, select] = useSelection(asked);
  const { data, isPlaceholderData } = list;
  const shown = useRef<{ asked: TableSearch; totalElements: number; ids: string[] }>(undefined);
  useEffect(() => {
    if (!data || isPlaceholderData) return;
    const [before, now] = [shown.current, { asked, totalElements: data.totalElements, ids: data.content.map(rowId) }];
    shown.current = now;
    // a list that grew moved rows to the next page
    if (before?.asked !== asked || now.totalElements >= before.totalElements) return;
    const gone = before.ids.filter((id) => !now.ids.includes(id));
    select((selected) => Object.fromEntries(Object.entries(selected).filter(([id]) => !gone.includes(id))));
    // oxlint-disable-next-line react/exhaustive-deps -- `select` and `rowId` are made anew each time
  }, [data, isPlaceholderData, asked]);
  const sorting = sortingOf(asked.sort);
  const table = useTable({
    features,
    columns,
    data: data?.content ?? (noRows as Row[]),
    rowCount: data?.totalElements ?? 0,
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
