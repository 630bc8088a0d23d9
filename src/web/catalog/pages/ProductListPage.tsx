import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { catalogMessages, categoryTitle } from '../../../shared/catalog';
import type { DataOf, Schema } from '../../../shared/contract';
import { isBeyond, productsInView } from '../../../shared/paging';
import { CategoryBanner } from '../core/CategoryBanner';
import type { ListSearch } from '../core/listSearch';
import { categoryProductsQuery, useCategories } from '../core/queries';
import { ReadFailure } from '../../connection/ReadFailure';
import { isNowhere } from '../../server/errors';
import { useAfterLoad } from '../../ui/afterLoad';
import { NotFoundPage } from '../core/NotFoundPage';
import { breadcrumbs, PageMeta } from '../../ui/PageMeta';
import { Pagination } from '../../ui/Pagination';
import { Waiting } from '../../ui/Waiting';
import { ListBar } from './ListBar';
import { ProductGrid, ProductGridSkeleton } from './ProductGrid';
import styles from './ProductListPage.module.css';

const loadAsOf = () => import('../../connection/AsOf');
const loadParts = () => import('./listParts');
const route = getRouteApi('/shop/products/$category');

export function ProductListPage() {
  const { category: name } = route.useParams();
  const search = route.useSearch();
  const read = useQuery({
    ...categoryProductsQuery(name, search),
    // while another page or filter loads the last one stays, but never another category's products
    placeholderData: (previous) => (previous?.category?.name === name ? previous : undefined),
  });
  const { data, error, isPending, isPlaceholderData } = read;
  // the menu knows its title while its products load
  const category = [data?.category, ...useCategories()].find((each) => each?.name === name) ?? { name, title: null };
  const { page = 1 } = search;
  const isPastTheEnd = data && !isPlaceholderData && isBeyond(page, data.products);
  if (isNowhere(error) || isPastTheEnd) return <NotFoundPage />;
  return (
    <>
      <CategoryMeta
        categoryName={name}
        title={categoryTitle(category)}
        page={page}
        products={data?.products.content ?? []}
      />
      <CategoryBanner category={category} />
      <div className="wrap">
        {error && !data && <ReadFailure read={read} failure={catalogMessages.listProductsByCategory.failure} />}
        {isPending && (
          <Waiting what="the products">
            <ListSkeleton />
          </Waiting>
        )}
        {data && <List categoryName={name} data={data} search={search} />}
      </div>
    </>
  );
}

interface ListProps {
  categoryName: string;
  data: DataOf<'listProductsByCategory'>;
  search: ListSearch;
}

function List({ categoryName, data: { products, facets }, search }: ListProps) {
  const { page = 1 } = search;
  const isEmpty = products.content.length === 0;
  const asOf = useAfterLoad(loadAsOf);
  const parts = useAfterLoad(loadParts);
  return (
    <>
      <div className={styles['bar']}>
        <output className={`tabular ${styles['count']}`}>
          {isEmpty ? catalogMessages.noProducts : productsInView(page, products)}
        </output>
        {asOf && <asOf.AsOf />}
        {facets && <ListBar categoryName={categoryName} search={search} facets={facets} parts={parts} />}
      </div>
      {isEmpty ? parts && <parts.EmptyList search={search} /> : <ProductGrid products={products.content} />}
      <Pagination page={page} totalPages={products.totalPages} />
    </>
  );
}

function ListSkeleton() {
  return (
    <>
      <div className={styles['bar']}>
        <p className={styles['count']}>
          <span className={`skeleton ${styles['line']}`} />
        </p>
        <div className={styles['chips']} />
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
 * A filtered list has the URL of the unfiltered one; a later page has its own.
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
