import type { Schema } from '../../../shared/contract';
import { pageSize } from '../../../shared/paging';
import { usePreloadedProductPage } from '../../ui/preloading';
import { ProductCard, ProductCardSkeleton } from './ProductCard';
import styles from './ProductGrid.module.css';

/** Five by two, since a page has ten products; fewer columns on smaller screens. */
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

/** A placeholder while the products load. */
export function ProductGridSkeleton() {
  return (
    <ul className={styles['grid']} aria-hidden="true">
      {Array.from({ length: pageSize }, (_, index) => (
        <ProductCardSkeleton key={index} />
      ))}
    </ul>
  );
}
