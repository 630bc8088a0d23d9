import { SkeletonRows } from '../../ui/SkeletonRows';
import form from '../ui/form.module.css';
import styles from './OrderPage.module.css';

/** Placeholders for an order's items and facts while it loads. */
export function OrderSkeleton() {
  return (
    <div className={form['grid']}>
      <div className={styles['box']}>
        <header>
          <span className={`skeleton ${styles['headWaiting']}`} />
        </header>
        <div className={styles['items']}>
          <SkeletonRows hasPictures />
        </div>
        <p className={styles['sum']}>
          <span className={`skeleton ${styles['headWaiting']}`} />
        </p>
      </div>
      <div className={form['box']}>
        <SkeletonRows rows={6} />
      </div>
    </div>
  );
}
