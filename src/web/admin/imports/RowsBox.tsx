import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link, useSearch } from '@tanstack/react-router';
import { formatCount } from '../../../shared/counts';
import { importCallMessages as calls } from '../../../shared/imports';
import { importPageMessages as messages } from '../../../shared/importsStaff';
import { parsePage } from '../../../shared/paging';
import { ReadFailure } from '../../connection/ReadFailure';
import chip from '../../ui/Chip.module.css';
import { Pagination } from '../../ui/Pagination';
import { Waiting } from '../../ui/Waiting';
import box from '../ui/box.module.css';
import styles from './imports.module.css';
import { ImportRows } from './ImportRows';
import { type Import, type ImportAction, rowsPerPage, rowsQuery } from './queries';
import { stepHeadingId } from './Steps';

const tabs: readonly { action: ImportAction; label: string }[] = [
  { action: 'new', label: 'New' },
  { action: 'changed', label: 'Changed' },
  { action: 'unchanged', label: 'Unchanged' },
  { action: 'wrong', label: 'Errors' },
];

interface Props {
  data: Import;
  title: string;
  /** The box is what the step is about. */
  isStep?: boolean;
  /** Beside the title. */
  children?: ReactNode;
}

/** The rows of an import, by what becomes of them. Tab and page are in the URL. */
export function RowsBox({ data, title, isStep = false, children }: Props) {
  const ownId = useId();
  const headingId = isStep ? stepHeadingId : ownId;
  const { show, page } = useView(data);
  const query = useQuery(rowsQuery(data, show, page));
  const { data: rows, error } = query;
  const first = (page - 1) * rowsPerPage + 1;
  return (
    <>
      <nav className={`${chip['row']} ${styles['tabs']}`} aria-label="Kinds of rows">
        {tabs.map(({ action, label }) => (
          <Link
            key={action}
            to="."
            search={(before) => ({ ...before, show: action, page: undefined })}
            replace
            resetScroll={false}
            className={`${chip['chip']} ${action === show ? chip['on'] : ''}`}
            aria-current={action === show ? 'page' : undefined}
          >
            {label} {formatCount(data.rows[action])}
          </Link>
        ))}
      </nav>
      <section className={box['box']} aria-labelledby={headingId} aria-busy={!rows && error === null}>
        <header>
          <h2 id={headingId} tabIndex={-1} className={styles['heading']}>
            {title}
          </h2>
          {children && <span className={styles['beside']}>{children}</span>}
        </header>
        {!rows && error !== null && (
          <div className={box['state']}>
            <ReadFailure read={query} failure={calls.listImportRows.failure} back={null} />
          </div>
        )}
        {!rows && error === null && <WaitingRows />}
        {rows && rows.content.length > 0 && (
          <>
            <ImportRows rows={rows.content} title={title} isLoading={query.isPlaceholderData} />
            <div className={styles['foot']}>
              <span className="tabular">
                {formatCount(first)}–{formatCount(first + rows.content.length - 1)} of {formatCount(rows.totalElements)}
              </span>
              <Pagination page={page} totalPages={rows.totalPages} isAlwaysThere />
            </div>
          </>
        )}
        {rows?.content.length === 0 && (
          <output className={box['state']}>{data.rows[show] > 0 ? messages.rowsGone : messages.noRows}</output>
        )}
      </section>
    </>
  );
}

/** Errors are shown first, since they need something. */
function useView({ rows }: Import): { show: ImportAction; page: number } {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const byNeed: readonly ImportAction[] = ['wrong', 'new', 'changed', 'unchanged'];
  const asked = byNeed.find((action) => action === raw['show']);
  return { show: asked ?? byNeed.find((action) => rows[action] > 0) ?? 'new', page: parsePage(raw['page']) };
}

function WaitingRows() {
  return (
    <Waiting what="rows">
      {Array.from({ length: 8 }, (_, row) => (
        <span key={row} className={`skeleton ${styles['skeleton']}`} />
      ))}
    </Waiting>
  );
}
