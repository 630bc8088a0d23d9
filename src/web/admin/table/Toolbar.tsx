import type { RowData } from '@tanstack/react-table';
import { deferMenu } from '../../ui/deferMenu';
import { AdminIcon } from '../shell/AdminIcon';
import type { DataTableProps } from './DataTable';
import { FilterChip } from './FilterChip';
import { SearchBox } from './SearchBox';
import styles from './Toolbar.module.css';
import type { ListTable } from './useDataTable';

const ActionMenu = deferMenu(async () => (await import('./ActionMenu')).ActionMenu);

/** What is asked of the list: a search, one value of each filter, and on a phone, which has no heads, the order. */
export function Toolbar<Row extends RowData>(props: DataTableProps<Row> & { table: ListTable<Row> }) {
  const { table, search, searchLabel, filters = [], tools } = props;
  const [{ q, filters: set }, change] = search;
  const sortable = table.getAllColumns().filter((column) => column.getCanSort());
  if (!searchLabel && filters.length === 0 && !tools && sortable.length === 0) return null;
  return (
    <div className={`${styles['bar']} ${!searchLabel && filters.length === 0 && !tools ? styles['phone'] : ''}`}>
      {searchLabel && (
        <SearchBox label={searchLabel} value={q} onSearch={(text) => change({ q: text }, { replace: q !== '' })} />
      )}
      {filters.map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          value={set[filter.name]}
          onChange={(value) => change({ filters: { [filter.name]: value } })}
        />
      ))}
      {sortable.length > 0 && (
        <span className={styles['phone']}>
          <SortMenu {...props} />
        </span>
      )}
      {tools && <span className={styles['export']}>{tools}</span>}
    </div>
  );
}

function SortMenu<Row extends RowData>({
  table,
  search: [{ sort }, change],
}: DataTableProps<Row> & { table: ListTable<Row> }) {
  const orders = table
    .getAllColumns()
    .filter((column) => column.getCanSort())
    .flatMap(({ id, columnDef: { header } }) => [
      { sort: id, label: `${String(header)}, ascending` },
      { sort: `-${id}`, label: `${String(header)}, descending` },
    ]);
  return (
    <ActionMenu
      title="Sort"
      end="start"
      className={styles['chip']}
      choice={{
        heading: 'Sort',
        chosen: orders.find((order) => order.sort === sort)?.label,
        options: orders,
        onChoose: (label) => change({ sort: orders.find((order) => order.label === label)?.sort }),
      }}
    >
      Sort <AdminIcon name="sort" size={16} />
    </ActionMenu>
  );
}
