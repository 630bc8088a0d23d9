import { noticeSentence } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import styles from './CartNotice.module.css';
import { useCartChange } from './queries';

interface Props {
  line: Schema<'CartItem'>;
  userId: string;
  onRemove: () => void;
}

/** What must be settled before the line can be ordered, and its answer: keep the price, take fewer, or remove it. */
export function CartNotice({ line, userId, onRemove }: Props) {
  const update = useCartChange('updateCartItem');
  const sentence = noticeSentence(line);
  if (!sentence) return null;
  const set = (quantity: number) =>
    update.mutate({ userId, update: { cartItemId: line.id, quantity }, name: line.productName });
  const answers = {
    price_changed: { label: `Keep at ${formatMoney(toCents(line.currentPrice))}`, act: () => set(line.quantity) },
    not_enough_stock: { label: `Take ${line.stock}`, act: () => set(line.stock) },
    out_of_stock: { label: 'Remove', act: onRemove },
    archived: { label: 'Remove', act: onRemove },
  };
  const { label, act } = answers[line.notice ?? 'archived'];
  return (
    <td className={styles['notice']}>
      <Badge tone={line.notice === 'price_changed' ? 'warn' : 'error'}>{sentence}</Badge>
      <Button size="sm" variant="outline" className={styles['answer']} onClick={act}>
        {label}
      </Button>
    </td>
  );
}
