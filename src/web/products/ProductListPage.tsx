import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { catalogSays } from '../../shared/catalog';
import type { DataOf, Schema } from '../../shared/contract';
import { isBeyond, pageSize } from '../../shared/paging';
import { bannerTitle, CategoryBanner } from '../catalog/CategoryBanner';
import { CategoryLinks } from '../catalog/CategoryLinks';
import { isFiltered, type ListSearch } from '../catalog/listSearch';
import { categoryProductsQuery } from '../catalog/queries';
import { useHonestSentence } from '../connection/useHonestSentence';
import { isRefusal } from '../server/errors';
import { ButtonLink } from '../ui/ButtonLink';
import { FailureNotice } from '../ui/FailureNotice';
import { NotFoundPage } from '../ui/NotFoundPage';
import { breadcrumbs, PageMeta } from '../ui/PageMeta';
import { Pagination } from '../ui/Pagination';
import { FilterBar } from './FilterBar';
import { ProductGrid, ProductGridSkeleton } from './ProductGrid';
import styles from './ProductListPage.module.css';

const route = getRouteApi('/shop/products/$category');

export function ProductListPage() {
  const { category } = route.useParams();
  const search = route.useSearch();
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...categoryProductsQuery(category, search),
    // while another page or filter comes the last one stays, but never another category's products
    placeholderData: (previous) => (previous?.category?.name === category ? previous : undefined),
  });
  const failure = useHonestSentence(catalogSays.listProductsByCategory.failure);
  const { page = 1 } = search;
  const isPastTheEnd = data && !isPlaceholderData && isBeyond(page, data.products);
  if (isRefusal(error) || isPastTheEnd) return <NotFoundPage />;
  return (
    <>
      <CategoryMeta
        categoryName={category}
        title={bannerTitle(category, data?.category?.title)}
        page={page}
        products={data?.products.content ?? []}
      />
      <CategoryBanner categoryName={category} title={data?.category?.title} />
      <div className="wrap" aria-busy={isPending}>
        {error && !data && <FailureNotice sentence={failure} onRetry={refetch} />}
        {isPending && <ListSkeleton />}
        {data && <List data={data} search={search} />}
      </div>
    </>
  );
}

function List({ data, search }: { data: DataOf<'listProductsByCategory'>; search: ListSearch }) {
  const { products, facets } = data;
  const { page = 1 } = search;
  const first = (page - 1) * pageSize;
  const isEmpty = products.content.length === 0;
  return (
    <>
      <div className={styles['bar']}>
        <output className={`tabular ${styles['count']}`}>
          {isEmpty
            ? catalogSays.noProducts
            : `${first + 1}–${first + products.content.length} of ${products.totalElements}`}
        </output>
        {facets && <FilterBar search={search} facets={facets} />}
      </div>
      {isEmpty ? (
        <div className={styles['ways']}>
          <CategoryLinks />
          {isFiltered(search) && (
            <ButtonLink to="." search={{}} size="lg" variant="ghost">
              Show all products
            </ButtonLink>
          )}
        </div>
      ) : (
        <ProductGrid products={products.content} />
      )}
      <Pagination page={page} totalPages={products.totalPages} />
    </>
  );
}

function ListSkeleton() {
  const chips = ['Heat', 'Origin', 'Allergens'];
  return (
    <>
      <div className={styles['bar']}>
        <p className={styles['count']}>
          <span className={`skeleton ${styles['line']}`} />
        </p>
        <div className={styles['chips']}>
          {chips.map((chip) => (
            <span key={chip} className="skeleton" />
          ))}
        </div>
      </div>
      <ProductGridSkeleton />
    </>
  );
}

interface Props {
  categoryName: string;
  title: string;
  page: number;
  products: readonly Schema<'Product'>[];
}

/**
 * A filtered list has the address of the unfiltered one; a later page has one of its own.
 * Rule: docs/rules/catalog.md, Filters
 */
function CategoryMeta({ categoryName, title, page, products }: Props) {
  const router = useRouter();
  const addressOf = (search: { page?: number }) =>
    router.buildLocation({ to: '/products/$category', params: { category: categoryName }, search }).href;
  const names = products.slice(0, 4).map(({ name }) => name);
  return (
    <PageMeta
      title={page > 1 ? `${title}, page ${page}` : title}
      description={[`${title} from our shop`, names.join(', ')].filter(Boolean).join(': ')}
      path={addressOf(page > 1 ? { page } : {})}
      picture={products.find(({ picture }) => picture)?.picture}
      data={[breadcrumbs(router.origin, [{ name: title, path: addressOf({}) }])]}
    />
  );
}
