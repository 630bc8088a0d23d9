import { Button } from '@chakra-ui/react/button';
import { Link } from '@tanstack/react-router';
import { maxQuantity, noticeSentence } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { Badge } from '../ui/Badge';
import { IconButton } from '../ui/IconButton';
import { Price } from '../ui/Price';
import { QuantityStepper } from '../ui/QuantityStepper';
import { Thumbnail } from '../ui/Thumbnail';
import styles from './CartLine.module.css';
import { useCartChange } from './queries';

interface Props {
  line: Schema<'CartItem'>;
  userId: string;
}

/** One product of the cart: a row of the table, drawn as a small grid on a phone. */
export function CartLine({ line, userId }: Props) {
  const update = useCartChange('updateCartItem');
  const remove = useCartChange('removeCartItem');
  const { productId, productName } = line;
  const removeLine = () => remove.mutate({ userId, cartItemId: line.id });
  const step = (change: 1 | -1) =>
    line.quantity + change <= 0 ? removeLine() : update.mutate({ userId, update: { productId, change } });
  return (
    <tr className={styles['line']}>
      <td className={styles['picture']}>
        <Thumbnail imageUrl={line.imageUrl} />
      </td>
      <th scope="row" className={styles['name']}>
        <Link to="/customer/view/product/$id" params={{ id: productId }}>
          {productName}
        </Link>
        <Notice line={line} userId={userId} onRemove={removeLine} />
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
      <td className={styles['total']}>
        <Price cents={toCents(line.totalPrice)} />
      </td>
      <td className={styles['remove']}>
        <IconButton icon="trash" label={`Remove ${productName}`} onClick={removeLine} />
      </td>
    </tr>
  );
}

/** What must be settled before the line can be ordered, and how: keep the new price, or remove it. */
function Notice({ line, userId, onRemove }: Props & { onRemove: () => void }) {
  const update = useCartChange('updateCartItem');
  const sentence = noticeSentence(line);
  if (!sentence) return null;
  const isPrice = line.notice === 'price_changed';
  const keep = () => update.mutate({ userId, update: { cartItemId: line.id, quantity: line.quantity } });
  return (
    <span className={styles['notice']}>
      <Badge tone={isPrice ? 'warn' : 'error'}>{sentence}</Badge>
      <Button size="sm" minH="11" variant="outline" onClick={isPrice ? keep : onRemove}>
        {isPrice ? `Keep at ${formatMoney(toCents(line.currentPrice))}` : 'Remove'}
      </Button>
    </span>
  );
}
