import card from './OrderCard.module.css';
import styles from './OrderSkeleton.module.css';

/** A card with one item, until the orders are there. */
export function OrderSkeleton() {
  return (
    <div className={card['order']}>
      <div className={styles['head']}>
        <span className={`skeleton ${styles['number']}`} />
      </div>
      <div className={card['body']}>
        <div className={card['item']}>
          <span className={`skeleton ${styles['picture']}`} />
          <span className={`skeleton ${styles['number']}`} />
        </div>
        <div className={`${card['facts']} ${styles['facts']}`}>
          <span className={`skeleton ${styles['number']}`} />
        </div>
      </div>
    </div>
  );
}
