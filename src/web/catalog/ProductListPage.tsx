import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { pageSize } from '../../shared/paging';
import { isRefusal } from '../api/apiError';
import { FailureNotice } from '../ui/FailureNotice';
import { NotFoundPage } from '../ui/NotFoundPage';
import { Pagination } from '../ui/Pagination';
import { CategoryBanner } from './CategoryBanner';
import { ProductCard, ProductCardSkeleton } from './ProductCard';
import styles from './ProductListPage.module.css';
import { categoryProductsQuery } from './queries';

const route = getRouteApi('/shop/products/$category');

export function ProductListPage() {
  const { category } = route.useParams();
  const { page = 1 } = route.useSearch();
  const products = useQuery({ ...categoryProductsQuery(category, page), placeholderData: keepPreviousData });
  if (isRefusal(products.error)) return <NotFoundPage />;
  const title = products.data?.content[0]?.productCategory.title;
  return (
    <>
      <CategoryBanner categoryName={category} title={title} />
      <div className="wrap" aria-busy={products.isPending}>
        {products.isError && !products.data ? (
          <FailureNotice sentence="Failed to fetch products by category" onRetry={products.refetch} />
        ) : (
          <ProductGrid products={products.data} page={page} />
        )}
      </div>
    </>
  );
}

function ProductGrid({ products, page }: { products: Schema<'ProductPage'> | undefined; page: number }) {
  if (!products) {
    return (
      <>
        <p className={styles['count']}>&nbsp;</p>
        <ul className={styles['grid']}>
          {Array.from({ length: pageSize }, (_, index) => (
            <ProductCardSkeleton key={index} />
          ))}
        </ul>
      </>
    );
  }
  if (products.content.length === 0) return <p className={styles['count']}>No products found.</p>;
  const first = (page - 1) * pageSize;
  return (
    <>
      <p className={`tabular ${styles['count']}`}>
        {first + 1}–{first + products.content.length} of {products.totalElements}
      </p>
      <ul className={styles['grid']}>
        {products.content.map((product, index) => (
          <ProductCard key={product.id} product={product} isFirst={index < 2} />
        ))}
      </ul>
      <Pagination page={page} totalPages={products.totalPages} />
    </>
  );
}
