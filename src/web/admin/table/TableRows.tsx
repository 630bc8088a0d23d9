import type { Cell, Header } from '@tanstack/react-table';
import { useEffect, useRef } from 'react';
import { Icon } from '../../ui/Icon';
import checkStyles from './CheckBox.module.css';
import styles from './DataTable.module.css';
import type { ListRow, DataTableProps, features, ListTable } from './useDataTable';

/** The column heads: the first press sorts ascending, the second descending, the third removes the sorting. */
export function TableHead<Row extends ListRow>({
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
                label="Select all rows on this page"
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

function Head<Row extends ListRow>({ header, table }: { header: Header<typeof features, Row>; table: ListTable<Row> }) {
  const { column } = header;
  const order = column.getIsSorted();
  const words = column.id === 'menu' ? <span className="sr-only">Actions</span> : <table.FlexRender header={header} />;
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

type Props<Row extends ListRow> = DataTableProps<Row> & {
  table: ListTable<Row>;
  hasSelection: boolean;
  isWaiting: boolean;
};

export function TableRows<Row extends ListRow>(props: Props<Row>) {
  const { table, hasSelection, isWaiting, list, search, rowName, isMarked } = props;
  if (!list.data) return <WaitingRows columns={table.getAllColumns().length + Number(hasSelection)} />;
  const firstNumber = (search[0].page - 1) * search[0].size + 1;
  return (
    <tbody className={isWaiting ? styles['waiting'] : undefined}>
      {table.getRowModel().rows.map((row, index) => (
        <tr key={row.id} className={isMarked?.(row.original) || row.getIsSelected() ? styles['on'] : undefined}>
          {hasSelection && (
            <td className={styles['check']}>
              <CheckBox
                label={`Select ${rowName(row.original)}`}
                isChecked={row.getIsSelected()}
                onChange={(isOn) => row.toggleSelected(isOn)}
              />
            </td>
          )}
          {row.getAllCells().map((cell) => (
            <OneCell key={cell.id} cell={cell} table={table} number={firstNumber + index} />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface CellProps<Row extends ListRow> {
  cell: Cell<typeof features, Row>;
  table: ListTable<Row>;
  /** The row's number in the whole list, for the column '#'. */
  number: number;
}

function OneCell<Row extends ListRow>({ cell, table, number }: CellProps<Row>) {
  const { id, columnDef } = cell.column;
  const content = <table.FlexRender cell={cell} />;
  if (id === 'number') return <td className={styles['number']}>{number}</td>;
  if (id === 'menu') return <td className={styles['menu']}>{content}</td>;
  const { isFigure, isMuted, onPhone } = columnDef.meta ?? {};
  const looks = [isFigure && styles['figure'], isMuted && styles['muted'], onPhone && styles[`${onPhone}OnPhone`]];
  const named = onPhone === 'named' && typeof columnDef.header === 'string' ? columnDef.header : undefined;
  return (
    <td className={looks.filter(Boolean).join(' ')} data-name={named}>
      {content}
    </td>
  );
}

const tenRows = Array.from({ length: 10 }, (_, index) => index);

function WaitingRows({ columns }: { columns: number }) {
  return (
    <tbody>
      {tenRows.map((row) => (
        <tr key={row} className={styles['skeletonRow']}>
          <td colSpan={columns} aria-hidden="true">
            <span className={`skeleton ${styles['skeleton']}`} />
          </td>
        </tr>
      ))}
    </tbody>
  );
}

interface CheckBoxProps {
  label: string;
  isChecked: boolean;
  isMixed?: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A checkbox whose label is only for screen readers. */
function CheckBox({ label, isChecked, isMixed = false, onChange }: CheckBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed && !isChecked;
  }, [isMixed, isChecked]);
  return (
    <label className={checkStyles['place']}>
      <input
        ref={box}
        type="checkbox"
        className={checkStyles['box']}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="sr-only">{label}</span>
    </label>
  );
}
