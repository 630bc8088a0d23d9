import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { catalogMessages } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import { isBeyond, productsInView } from '../../shared/paging';
import { searchMessages } from '../../shared/search';
import { CategoryLinks } from '../catalog/core/CategoryLinks';
import { ProductGrid, ProductGridSkeleton } from '../catalog/pages/ProductGrid';
import { AsOf } from '../connection/AsOf';
import { ReadFailure } from '../connection/ReadFailure';
import { Heading } from '../ui/Heading';
import { NotFoundPage } from '../catalog/core/NotFoundPage';
import { PageMeta } from '../ui/PageMeta';
import { Pagination } from '../ui/Pagination';
import { Waiting } from '../ui/Waiting';
import { foundQuery } from './queries';
import { noteRecent } from './recent';
import { SearchField } from './SearchField';
import styles from './SearchPage.module.css';

const route = getRouteApi('/shop/search');

/** The list of results, with the field where a category has its banner. Without JavaScript it is a plain form. */
export function SearchPage() {
  const { q = '', page = 1 } = route.useSearch();
  const found = useFound(q, page);
  if (found.data && !found.isPlaceholderData && isBeyond(page, found.data)) return <NotFoundPage />;
  return (
    <>
      <PageMeta
        title={q ? `${searchMessages.title}: ${q}` : searchMessages.title}
        description={searchMessages.hint}
        path="/search"
        isHidden={q !== ''}
      />
      <div className={`wrap ${styles['head']}`}>
        <Heading as="h1" textStyle="h1" tabIndex={-1}>
          {searchMessages.title}
        </Heading>
        <Field key={q} q={q} />
      </div>
      <div className="wrap">{q ? <Found found={found} page={page} /> : <NoWords />}</div>
    </>
  );
}

function Field({ q }: { q: string }) {
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get('q');
    const typed = typeof text === 'string' ? text.trim() : '';
    noteRecent(typed);
    void navigate({ to: '/search', search: { q: typed || undefined } });
  };
  return (
    <search className={styles['field']}>
      <form action="/search" onSubmit={submit}>
        <SearchField defaultValue={q} placeholder={searchMessages.placeholder} />
      </form>
    </search>
  );
}

const useFound = (q: string, page: number) =>
  useQuery({ ...foundQuery(q, page), enabled: q !== '', placeholderData: (previous) => previous });

function Found({ found, page }: { found: ReturnType<typeof useFound>; page: number }) {
  const { data, error, isPending } = found;
  return (
    <>
      {error && !data && <ReadFailure read={found} failure={searchMessages.searchProducts.failure} />}
      {isPending && (
        <Waiting what="the results">
          <p className={styles['count']} />
          <ProductGridSkeleton />
        </Waiting>
      )}
      {data && <List products={data} page={page} />}
    </>
  );
}

function List({ products, page }: { products: Schema<'ProductPage'>; page: number }) {
  const { content, totalPages } = products;
  return (
    <>
      <output className={`tabular ${styles['count']}`}>
        {content.length === 0 ? catalogMessages.noProducts : productsInView(page, products)}
      </output>
      <AsOf />
      {content.length === 0 ? (
        <div className={styles['ways']}>
          <CategoryLinks />
        </div>
      ) : (
        <ProductGrid products={content} />
      )}
      <Pagination page={page} totalPages={totalPages} />
    </>
  );
}

function NoWords() {
  return (
    <>
      <p className={styles['count']}>{searchMessages.hint}</p>
      <div className={styles['ways']}>
        <CategoryLinks />
      </div>
    </>
  );
}
