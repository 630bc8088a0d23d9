import { catalogMessages } from '../../../shared/catalog';
import { ButtonLink } from '../../ui/ButtonLink';
import { EmptyState } from '../../ui/EmptyState';
import { PageTitle } from '../../ui/PageMeta';
import { useAfterLoad } from '../../ui/afterLoad';
import styles from './NotFoundPage.module.css';

const loadWays = () => import('./NotFoundWays');

/** Leads on to the home page, the search, and the categories. */
export function NotFoundPage() {
  const ways = useAfterLoad(loadWays);
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
        {ways && <ways.NotFoundWays />}
      </EmptyState>
    </>
  );
}
