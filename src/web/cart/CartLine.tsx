import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { maxQuantity } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { IconButton } from '../ui/IconButton';
import { Price } from '../ui/Price';
import { QuantityStepper } from '../ui/QuantityStepper';
import { Thumbnail } from '../ui/Thumbnail';
import styles from './CartLine.module.css';
import { CartNotice } from './CartNotice';
import { focusBeside } from './focusBeside';
import { useCartChange } from './queries';

interface Props {
  line: Schema<'CartItem'>;
  userId: string;
}

/** One product of the cart: a row of the table, drawn as a small grid on a phone. */
export function CartLine({ line, userId }: Props) {
  const row = useRef<HTMLTableRowElement>(null);
  const update = useCartChange('updateCartItem');
  const remove = useCartChange('removeCartItem');
  const { productId, productName } = line;
  const removeLine = () => {
    focusBeside(row.current);
    remove.mutate({ userId, cartItemId: line.id });
  };
  const step = (change: 1 | -1) =>
    line.quantity + change <= 0 ? removeLine() : update.mutate({ userId, update: { productId, change } });
  return (
    <tr ref={row} className={styles['line']}>
      <td className={styles['picture']}>
        <Thumbnail imageUrl={line.imageUrl} />
      </td>
      <th scope="row" className={styles['name']}>
        <Link to="/customer/view/product/$id" params={{ id: productId }}>
          {productName}
        </Link>
      </th>
      <td className={`tabular ${styles['unit']}`}>{formatMoney(toCents(line.price))}</td>
      <td className={styles['quantity']}>
        <QuantityStepper
          name={productName}
          value={line.quantity}
          max={Math.min(line.stock, maxQuantity)}
          onChange={step}
        />
      </td>
      <td className={`${styles['total']} ${update.isPending ? styles['pending'] : ''}`}>
        <Price cents={toCents(line.totalPrice)} />
      </td>
      <td className={styles['remove']}>
        <IconButton icon="trash" label={`Remove ${productName}`} onClick={removeLine} />
      </td>
      <CartNotice line={line} userId={userId} onRemove={removeLine} />
    </tr>
  );
}
