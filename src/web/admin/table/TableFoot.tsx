import { Pagination } from '../../ui/Pagination';
import { pageSizes } from './tableSearch';
import styles from './DataTable.module.css';

interface Props {
  page: number;
  size: number;
  content: readonly unknown[];
  totalPages: number;
  totalElements: number;
  onSize: (size: number) => void;
}

/** Which rows of how many are shown, how many to a page, and the pages. */
export function TableFoot({ page, size, content, totalPages, totalElements, onSize }: Props) {
  const first = (page - 1) * size + 1;
  return (
    <div className={styles['foot']}>
      <span className="tabular">
        {first}–{first + content.length - 1} of {totalElements}
      </span>
      {totalElements > pageSizes[0] && (
        <label className={styles['size']}>
          Rows
          <select value={size} onChange={(event) => onSize(Number(event.currentTarget.value))}>
            {pageSizes.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      <Pagination page={page} totalPages={totalPages} isAlwaysThere />
    </div>
  );
}
