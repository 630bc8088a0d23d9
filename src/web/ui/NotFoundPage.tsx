import { ButtonLink } from './ButtonLink';
import { EmptyState } from './EmptyState';
import { PageTitle } from './PageMeta';
import styles from './NotFoundPage.module.css';

export function NotFoundPage() {
  const art = (
    <p className={styles['art']} aria-hidden="true">
      4<span>&amp;</span>4
    </p>
  );
  return (
    <>
      <PageTitle>404 not found</PageTitle>
      <EmptyState title="404 not found" art={art}>
        <ButtonLink to="/" size="lg">
          Home
        </ButtonLink>
      </EmptyState>
    </>
  );
}
