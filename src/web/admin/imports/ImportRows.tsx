import { Link } from '@tanstack/react-router';
import { countOf, formatCount } from '../../../shared/counts';
import { importFieldLabel } from '../../../shared/importsStaff';
import { Badge, type BadgeTone } from '../../ui/Badge';
import box from '../ui/box.module.css';
import styles from './imports.module.css';
import type { ImportAction, ImportRow } from './queries';

const results: Record<ImportAction, { label: string; tone: BadgeTone }> = {
  new: { label: 'New', tone: 'success' },
  changed: { label: 'Changed', tone: 'info' },
  unchanged: { label: 'Unchanged', tone: 'neutral' },
  wrong: { label: 'Error', tone: 'error' },
};

interface Props {
  rows: readonly ImportRow[];
  title: string;
  /** The rows of another page or tab are still loading. */
  isLoading: boolean;
}

/** What an import does with each row: old and new values, errors with their cells, and notes. */
export function ImportRows({ rows, title, isLoading }: Props) {
  return (
    <table className={`${box['table']} ${styles['table']} ${isLoading ? styles['loading'] : ''}`}>
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Product</th>
          <th scope="col">Change</th>
          <th scope="col">Result</th>
          <th scope="col">Note</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.line} ${row.unitSize}`}>
            <td className={styles['line']} data-name="Line">
              {formatCount(row.line)}
            </td>
            <th scope="row" className={styles['name']}>
              <Name row={row} />
            </th>
            <td className={styles['words']}>
              <Changes row={row} />
            </td>
            <td>
              <Badge tone={results[row.action].tone} hollow={row.action === 'unchanged'}>
                {results[row.action].label}
              </Badge>
            </td>
            <td className={styles['words']}>
              <Notes row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ row: { productId, name, unitSize } }: { row: ImportRow }) {
  const words = [name || 'No name', unitSize].filter(Boolean).join(', ');
  if (productId === null) return words;
  return (
    <Link to="/view/product/$id" params={{ id: productId }} className="link">
      {words}
    </Link>
  );
}

function Changes({ row: { action, changes, photos } }: { row: ImportRow }) {
  const news = photos > 0 ? countOf(photos, 'photo') : undefined;
  if (action !== 'changed' || changes.length === 0) return news ?? <span aria-hidden="true">–</span>;
  return (
    <ul>
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          {importFieldLabel(field)}: <del>{from || 'blank'}</del> <ins>{to || 'blank'}</ins>
        </li>
      ))}
      {news && <li>{news}</li>}
    </ul>
  );
}

function Notes({ row: { problems, notes } }: { row: ImportRow }) {
  if (problems.length + notes.length === 0) return <span aria-hidden="true">–</span>;
  return (
    <ul>
      {problems.map(({ column, cell, message }) => (
        <li key={`${column} ${message}`} className={styles['error']}>
          {cell ? `Cell ${cell}, ${column}` : column}: {message}
        </li>
      ))}
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
