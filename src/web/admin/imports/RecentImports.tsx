import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countOf } from '../../../shared/counts';
import { importCallMessages as calls, importStates } from '../../../shared/imports';
import { importPageMessages as messages } from '../../../shared/importsStaff';
import { ReadFailure } from '../../connection/ReadFailure';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { Waiting } from '../../ui/Waiting';
import box from '../ui/box.module.css';
import { timeOf } from '../ui/dates';
import styles from './imports.module.css';
import { type Import, importsQuery } from './queries';

const tones: Record<Import['state'], BadgeTone> = {
  mapping: 'neutral',
  previewed: 'neutral',
  running: 'info',
  done: 'success',
  failed: 'error',
  undoing: 'info',
  undone: 'neutral',
};

/** The latest imports, each with a link to what it did. */
export function RecentImports() {
  const query = useQuery(importsQuery());
  const { data } = query;
  return (
    <section className={box['box']} aria-labelledby="recent-imports">
      <header>
        <h2 id="recent-imports">Recent imports</h2>
      </header>
      {!data && query.error !== null && (
        <div className={box['state']}>
          <ReadFailure read={query} failure={calls.listImports.failure} back={null} />
        </div>
      )}
      {!data && query.error === null && (
        <Waiting what="recent imports">
          {Array.from({ length: 3 }, (_, row) => (
            <span key={row} className={`skeleton ${styles['skeleton']}`} />
          ))}
        </Waiting>
      )}
      {data?.content.length === 0 && <p className={box['state']}>{messages.none}</p>}
      {data && data.content.length > 0 && <ImportsTable imports={data.content} />}
    </section>
  );
}

function ImportsTable({ imports }: { imports: readonly Import[] }) {
  return (
    <table className={`${box['table']} ${styles['table']}`}>
      <caption className="sr-only">Recent imports</caption>
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">When</th>
          <th scope="col">By</th>
          <th scope="col">Result</th>
          <th scope="col">Rows</th>
        </tr>
      </thead>
      <tbody>
        {imports.map(({ id, fileName, createdAt, createdBy, state, rows }) => (
          <tr key={id}>
            <th scope="row" className={styles['name']}>
              <Link to="." search={{ import: id }} className="link">
                {fileName ?? 'CSV file'}
              </Link>
            </th>
            <td className="muted">{timeOf(createdAt)}</td>
            <td className="muted">{createdBy ?? '–'}</td>
            <td>
              <Badge tone={tones[state]}>{importStates[state]}</Badge>
            </td>
            <td className="tabular">{state === 'mapping' ? '–' : countOf(rows.new + rows.changed, 'row')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
