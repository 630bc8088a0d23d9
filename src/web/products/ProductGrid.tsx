import type { Schema } from '../../shared/contract';
import { pageSize } from '../../shared/paging';
import { usePreloadedProductPage } from '../ui/preloading';
import { ProductCard, ProductCardSkeleton } from './ProductCard';
import styles from './ProductGrid.module.css';

/** Five by two, since a page is ten; fewer columns on a smaller screen. */
export function ProductGrid({ products }: { products: readonly Schema<'Product'>[] }) {
  const shown = usePreloadedProductPage<HTMLUListElement>();
  return (
    <ul ref={shown} className={styles['grid']}>
      {products.map((product, index) => (
        <ProductCard key={product.id} product={product} isFirst={index < 4} />
      ))}
    </ul>
  );
}

/** The same while the products are on their way. */
export function ProductGridSkeleton() {
  return (
    <ul className={styles['grid']} aria-hidden="true">
      {Array.from({ length: pageSize }, (_, index) => (
        <ProductCardSkeleton key={index} />
      ))}
    </ul>
  );
}
