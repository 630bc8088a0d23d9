import type { Schema } from '../../../shared/contract';
import { goesWellWithTitle } from '../../../shared/pairs';
import { Heading } from '../../ui/Heading';
import { ProductCard } from './ProductCard';
import styles from './Shelf.module.css';

/** Up to four products in a row; on a phone a shelf that scrolls sideways. */
export function GoesWellWith({ products }: { products: readonly Schema<'CardProduct'>[] }) {
  return (
    <section className={`wrap ${styles['section']}`}>
      <Heading as="h2" textStyle="h2">
        {goesWellWithTitle}
      </Heading>
      <ul className={`${styles['shelf']} ${styles['four']}`}>
        {products.map((product) => (
          <ProductCard key={product.id} product={product} headingLevel="h3" />
        ))}
      </ul>
    </section>
  );
}
