import { Link } from '@tanstack/react-router';
import { preloadInView } from './preloading';
import { type PageMark, pageMarks } from '../../shared/paging';
import { Icon } from './Icon';
import styles from './Pagination.module.css';

/** The router marks a link as current when the current URL starts with it; the first page's URL has no `?page=`. */
const wholeAddress = { exact: true } as const;

/**
 * Page numbers with previous and next, as links that change only `?page=` of the current URL (filters stay).
 * @param page the current page, starting at 1
 * @param isAlwaysThere shown even for a single page
 */
export function Pagination(props: { page: number; totalPages: number; isAlwaysThere?: true }) {
  const { page, totalPages, isAlwaysThere } = props;
  if (totalPages <= 1 && !isAlwaysThere) return null;
  return (
    <nav className={styles['pages']} aria-label="Pages">
      <Step to={page - 1} totalPages={totalPages} label="Previous" icon="left" />
      {pageMarks(page, totalPages).map((mark) => (
        <Mark key={mark} mark={mark} page={page} last={totalPages} />
      ))}
      <Step to={page + 1} totalPages={totalPages} label="Next" icon="right" />
    </nav>
  );
}

function Mark({ mark, page, last }: { mark: PageMark; page: number; last: number }) {
  const isBetween = last > 4 && mark !== 1 && mark !== page && mark !== last;
  const className = isBetween ? styles['between'] : '';
  if (typeof mark === 'string') {
    return (
      <span aria-hidden="true" className={className}>
        …
      </span>
    );
  }
  return (
    <Link
      to="."
      className={className}
      activeOptions={wholeAddress}
      search={(before) => ({ ...before, page: mark === 1 ? undefined : mark })}
      aria-label={`Page ${mark}`}
      aria-current={mark === page ? 'page' : undefined}
    >
      {mark}
    </Link>
  );
}

function Step(props: { to: number; totalPages: number; label: string; icon: 'left' | 'right' }) {
  const { to, totalPages, label, icon } = props;
  if (to < 1 || to > totalPages) {
    return (
      <button type="button" disabled aria-label={label}>
        <Icon name={icon} />
      </button>
    );
  }
  return (
    <Link
      to="."
      activeOptions={wholeAddress}
      search={(before) => ({ ...before, page: to === 1 ? undefined : to })}
      aria-label={label}
      {...(icon === 'right' && preloadInView())}
    >
      <Icon name={icon} />
    </Link>
  );
}
