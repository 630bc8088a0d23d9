import details from './ProductDetails.module.css';
import styles from './ProductSkeleton.module.css';

/** A square and three lines, until the product is there. */
export function ProductSkeleton() {
  return (
    <div className={`wrap ${details['detail']}`} aria-busy="true">
      <div className={details['back']}>
        <span className={styles['back']} />
      </div>
      <div className={`skeleton ${details['picture']}`} />
      <div className={details['facts']}>
        {/* takes no focus: that is for the product's own name, which comes in its place */}
        <h1 className="sr-only">Product</h1>
        <output className="sr-only">Loading the product</output>
        <span className={`skeleton ${styles['name']}`} />
        <span className={`skeleton ${styles['price']}`} />
        <span className={`skeleton ${styles['text']}`} />
      </div>
    </div>
  );
}
