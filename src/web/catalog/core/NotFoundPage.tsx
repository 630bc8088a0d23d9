import { catalogMessages } from '../../../shared/catalog';
import { ButtonLink } from '../../ui/ButtonLink';
import { EmptyState } from '../../ui/EmptyState';
import { PageTitle } from '../../ui/PageMeta';
import { CategoryLinks } from './CategoryLinks';
import styles from './NotFoundPage.module.css';

/** Leads on to the home page, the search, and the categories. */
export function NotFoundPage() {
  const art = (
    <p className={styles['art']} aria-hidden="true">
      4<span>&amp;</span>4
    </p>
  );
  return (
    <>
      <PageTitle>404 not found</PageTitle>
      <EmptyState title="404 not found" art={art} text={catalogMessages.pageMissing}>
        <ButtonLink to="/" size="lg">
          Home
        </ButtonLink>
        <ButtonLink to="/search" size="lg" variant="outline">
          Search
        </ButtonLink>
        <CategoryLinks isSecondary />
      </EmptyState>
    </>
  );
}
