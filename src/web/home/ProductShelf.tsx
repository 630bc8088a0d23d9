import { useQuery } from '@tanstack/react-query';
import { catalogMessages } from '../../shared/catalog';
import { ProductCard, ProductCardSkeleton } from '../catalog/pages/ProductCard';
import styles from '../catalog/pages/Shelf.module.css';
import { firstProductsQuery } from '../catalog/core/queries';
import { AsOf } from '../connection/AsOf';
import { ReadFailure } from '../connection/ReadFailure';
import { Heading } from '../ui/Heading';
import { Waiting } from '../ui/Waiting';

/** Five products in a row; on a phone a shelf that scrolls sideways. */
export function ProductShelf() {
  const read = useQuery(firstProductsQuery);
  const { data: products, isError, isPending } = read;
  if (products?.length === 0) return null;
  return (
    <section className={`wrap ${styles['section']}`}>
      <Heading as="h2" textStyle="h2">
        Products
      </Heading>
      <AsOf />
      {isError && !products && <ReadFailure read={read} failure={catalogMessages.listProducts.failure} />}
      {isPending && (
        <Waiting what="the products">
          <ul className={styles['shelf']} aria-hidden="true">
            {[1, 2, 3, 4, 5].map((card) => (
              <ProductCardSkeleton key={card} />
            ))}
          </ul>
        </Waiting>
      )}
      {products && (
        <ul className={styles['shelf']}>
          {products.map((product) => (
            <ProductCard key={product.id} product={product} headingLevel="h3" />
          ))}
        </ul>
      )}
    </section>
  );
}
