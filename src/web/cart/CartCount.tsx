import styles from './CartLink.module.css';
import { useCartUnits } from './useCart';

/** The number of units in the user's cart, in words and as the basket's badge. */
export function CartCount({ userId }: { userId: string }) {
  const count = useCartUnits(userId);
  return (
    <>
      <span className="sr-only">{`Cart, ${count} ${count === 1 ? 'item' : 'items'}`}</span>
      {count > 0 && (
        <span className={styles['count']} aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </>
  );
}
