import lines from './CartLine.module.css';
import page from './CartPage.module.css';
import styles from './CartSkeleton.module.css';

/** Three lines and the summary, until the cart is there. */
export function CartSkeleton() {
  return (
    <div className={page['split']}>
      <div className={styles['lines']}>
        <output className="sr-only">Loading your cart</output>
        {[1, 2, 3].map((line) => (
          <div key={line} className={lines['line']}>
            <span className={`skeleton ${styles['picture']}`} />
            <span className={`skeleton ${styles['name']}`} />
          </div>
        ))}
      </div>
      <div className={`panel skeleton ${styles['summary']}`} />
    </div>
  );
}
