import { cartMessages } from '../../shared/cartMessages';
import { CategoryLinks } from '../catalog/core/CategoryLinks';
import { EmptyState } from '../ui/EmptyState';
import styles from './EmptyCart.module.css';

export function EmptyCart() {
  return (
    <EmptyState title={cartMessages.empty} art={<Boat />}>
      <CategoryLinks />
    </EmptyState>
  );
}

/** A small fishing boat with the three painted bands. */
function Boat() {
  return (
    <svg className={styles['boat']} viewBox="0 0 260 170" aria-hidden="true">
      <ellipse className={styles['water']} cx="130" cy="152" rx="104" ry="9" />
      <path className={styles['hull']} d="M18 66c60 34 164 34 224-8-6 50-44 84-112 84S24 116 18 66z" />
      <path className={styles['gold']} d="M18 66c60 34 164 34 224-8l-2 14c-60 38-160 38-220 6z" />
      <path className={styles['crimson']} d="M18 66c60 34 164 34 224-8l-1 6c-60 40-162 40-222 8z" />
    </svg>
  );
}
