import type { Cell, RowData } from '@tanstack/react-table';
import { CheckBox } from './CheckBox';
import type { DataTableProps } from './DataTable';
import styles from './DataTable.module.css';
import type { features } from './features';
import type { ListTable } from './useDataTable';

type Props<Row extends RowData> = DataTableProps<Row> & {
  table: ListTable<Row>;
  hasSelection: boolean;
  isWaiting: boolean;
};

export function TableRows<Row extends RowData>(props: Props<Row>) {
  const { table, hasSelection, isWaiting, list, search, rowName, isMarked, label } = props;
  if (!list.data) return <WaitingRows columns={table.getAllColumns().length + Number(hasSelection)} label={label} />;
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

interface CellProps<Row extends RowData> {
  cell: Cell<typeof features, Row>;
  table: ListTable<Row>;
  /** Of the row in the whole list, which the column '#' shows. */
  number: number;
}

function OneCell<Row extends RowData>({ cell, table, number }: CellProps<Row>) {
  const { id, columnDef } = cell.column;
  const content = <table.FlexRender cell={cell} />;
  if (id === 'number') return <td className={styles['number']}>{number}</td>;
  if (id === 'menu') return <td className={styles['menu']}>{content}</td>;
  const { isFigure, isMuted, isCapitalised, onPhone } = columnDef.meta ?? {};
  const looks = [
    isFigure && styles['figure'],
    isMuted && styles['muted'],
    isCapitalised && 'cap',
    onPhone && styles[`${onPhone}OnPhone`],
  ];
  const named = onPhone === 'named' && typeof columnDef.header === 'string' ? columnDef.header : undefined;
  return (
    <td className={looks.filter(Boolean).join(' ')} data-name={named}>
      {content}
    </td>
  );
}

const tenRows = Array.from({ length: 10 }, (_, index) => index);

function WaitingRows({ columns, label }: { columns: number; label: string }) {
  return (
    <tbody>
      {tenRows.map((row) => (
        <tr key={row} className={styles['skeletonRow']}>
          <td colSpan={columns}>
            <span className={`skeleton ${styles['skeleton']}`} />
            {row === 0 && <output className="sr-only">Loading {label}</output>}
          </td>
        </tr>
      ))}
    </tbody>
  );
}
