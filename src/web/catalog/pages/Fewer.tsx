import { useQueryClient } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import type { Schema } from '../../../shared/contract';
import type { LineInCart } from '../../cart/lineInCart';
import { closeCartToast, takeOne } from '../../cart/press';
import { useRemoveLine } from '../../cart/removal';
import { LaterIcon } from '../../ui/LaterIcon';
import styles from './Fewer.module.css';

/** The minus and the number of a card's stepper, beside the plus. Minus at 1 removes the product. */
export function Fewer({ product, inCart }: { product: Schema<'CardProduct'>; inCart: LineInCart }) {
  const cache = useQueryClient();
  const { line, userId } = inCart;
  const remove = useRemoveLine(userId, line);
  const isLast = line.quantity <= 1;
  const press = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    if (!isLast) return takeOne(cache, product, inCart);
    currentTarget.parentElement?.querySelector<HTMLElement>('button:last-of-type')?.focus(); // the plus stays
    closeCartToast();
    remove();
  };
  return (
    <>
      <button
        type="button"
        className={styles['minus']}
        aria-label={isLast ? `Remove ${product.name}` : `Remove one ${product.name} from cart`}
        onClick={press}
      >
        <LaterIcon name="minus" />
      </button>
      <output className={styles['number']} aria-live="polite">
        {line.quantity}
        <span className="sr-only"> in cart</span>
      </output>
    </>
  );
}
