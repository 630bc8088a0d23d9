import type { Header, RowData } from '@tanstack/react-table';
import { Icon } from '../../ui/Icon';
import { CheckBox } from './CheckBox';
import styles from './DataTable.module.css';
import type { features } from './features';
import type { ListTable } from './useDataTable';

/** The columns' heads: a press on one sorts by it, a second one the other way round, a third one not at all. */
export function TableHead<Row extends RowData>({
  table,
  hasSelection,
}: {
  table: ListTable<Row>;
  hasSelection: boolean;
}) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {hasSelection && (
            <th scope="col" className={styles['check']}>
              <CheckBox
                label="Select all rows of this page"
                isChecked={table.getIsAllPageRowsSelected()}
                isMixed={table.getIsSomePageRowsSelected()}
                onChange={(isOn) => table.toggleAllPageRowsSelected(isOn)}
              />
            </th>
          )}
          {group.headers.map((header) => (
            <Head key={header.id} header={header} table={table} />
          ))}
        </tr>
      ))}
    </thead>
  );
}

function Head<Row extends RowData>({ header, table }: { header: Header<typeof features, Row>; table: ListTable<Row> }) {
  const { column } = header;
  const order = column.getIsSorted();
  const words = <table.FlexRender header={header} />;
  return (
    <th
      scope="col"
      className={column.columnDef.meta?.isFigure && styles['figure']}
      aria-sort={order ? (order === 'desc' ? 'descending' : 'ascending') : undefined}
    >
      {column.getCanSort() ? (
        <button type="button" className={styles['sort']} onClick={() => column.toggleSorting()}>
          {words}
          {order && <Icon name={order === 'desc' ? 'chevronDown' : 'chevronUp'} size={14} />}
        </button>
      ) : (
        words
      )}
    </th>
  );
}
