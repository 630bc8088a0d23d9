import { importMessages, staffLimits } from '../../../shared/catalogStaff';
import { formatCount } from '../../../shared/counts';
import type { Schema } from '../../../shared/contract';
import { Badge, type BadgeTone } from '../../ui/Badge';
import styles from './ImportDialog.module.css';

type Result = Schema<'ProductImportResult'>;
type Row = Result['rows'][number];

const actions: Record<Row['action'], { label: string; tone: BadgeTone }> = {
  create: { label: 'New', tone: 'success' },
  change: { label: 'Change', tone: 'info' },
  nothing: { label: 'Unchanged', tone: 'neutral' },
  refuse: { label: 'Error', tone: 'error' },
};

/** The id of the summary, which says why the import is not possible yet. */
export const countsId = 'import-counts';

/** What each row of the file would do; unchanged rows are only counted. */
export function ImportRows({ result }: { result: Result }) {
  const { created, changed, unchanged, refused, rows } = result;
  const all = rows.filter(({ action }) => action !== 'nothing');
  const isLong = all.length > staffLimits.importRowsShown;
  const shown = isLong
    ? [...all]
        .sort((a, b) => Number(b.action === 'refuse') - Number(a.action === 'refuse'))
        .slice(0, staffLimits.importRowsShown)
    : all;
  return (
    <div className={styles['result']}>
      <output
        id={countsId}
      >{`${formatCount(created)} new, ${formatCount(changed)} changed, ${formatCount(unchanged)} unchanged, ${formatCount(refused)} with errors`}</output>
      {isLong && <p className={styles['text']}>{importMessages.rowsShown(shown.length, all.length)}</p>}
      <ol className={styles['rows']} tabIndex={-1}>
        {shown.map((row) => (
          <li key={row.line}>
            <p>
              <span className="tabular">Line {formatCount(row.line)}</span>
              <Badge tone={actions[row.action].tone}>{actions[row.action].label}</Badge>
              <b>{row.name}</b>
            </p>
            <ul>
              {row.errors.map(({ field, message, cell }) => (
                <li key={`${field} ${message}`} className={styles['mistake']}>
                  {cell ? `Cell ${cell}, ${field}` : field}: {message}
                </li>
              ))}
              {row.action === 'change' &&
                row.changes.map(({ field, from, to }) => (
                  <li key={field}>
                    {field}: <del>{from || 'blank'}</del> <ins>{to || 'blank'}</ins>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  );
}
