import { filterMessages } from '../../../shared/productFilters';
import { ButtonLink } from '../../ui/ButtonLink';
import { CategoryLinks } from '../core/CategoryLinks';
import { countFilters, type ListSearch } from '../core/listSearch';
import styles from './ProductListPage.module.css';

interface Props {
  search: ListSearch;
}

/** Leads on from a list without products: all of them, if filters are set, and the categories. */
export function EmptyList({ search }: Props) {
  return (
    <div className={styles['ways']}>
      {countFilters(search) > 0 && (
        <ButtonLink to="." search={{ sort: search.sort }} size="lg">
          {filterMessages.showAll}
        </ButtonLink>
      )}
      <CategoryLinks isSecondary={countFilters(search) > 0} />
    </div>
  );
}
