import { useQuery } from '@tanstack/react-query';
import { catalogSays } from '../../shared/catalog';
import { ProductCard, ProductCardSkeleton } from '../products/ProductCard';
import { firstProductsQuery } from '../catalog/queries';
import { useHonestSentence } from '../connection/useHonestSentence';
import { FailureNotice } from '../ui/FailureNotice';
import { Heading } from '../ui/Heading';
import styles from './ProductShelf.module.css';

/** Five products in a row; on a phone a shelf that scrolls sideways. */
export function ProductShelf() {
  const { data: products, isError, isPending, refetch } = useQuery(firstProductsQuery);
  const failure = useHonestSentence(catalogSays.listProducts.failure);
  if (products?.length === 0) return null;
  return (
    <section className={`wrap ${styles['section']}`} aria-busy={isPending}>
      <Heading as="h2" textStyle="h2">
        Products
      </Heading>
      {isError && !products ? (
        <FailureNotice sentence={failure} onRetry={refetch} />
      ) : (
        <ul className={styles['shelf']}>
          {products
            ? products.map((product) => <ProductCard key={product.id} product={product} headingLevel="h3" />)
            : Array.from({ length: 5 }, (_, index) => <ProductCardSkeleton key={index} />)}
        </ul>
      )}
    </section>
  );
}
