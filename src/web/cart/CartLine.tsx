import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { maxQuantity } from '../../shared/cart';
import { noticeSentence } from '../../shared/cartNotice';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { unitPrice } from '../../shared/unitPrice';
import { useNameWithSize, useSizeOf } from '../catalog/core/useSizeOf';
import { Button } from '../ui/Button';
import { focusBeside } from '../ui/focusBeside';
import { IconButton } from '../ui/IconButton';
import { LaterIcon } from '../ui/LaterIcon';
import { Price, UnitPrice, Was } from '../ui/Price';
import { useShopFacts } from '../ui/shopFacts';
import { QuantityStepper } from '../ui/QuantityStepper';
import { Thumbnail } from '../ui/Thumbnail';
import styles from './CartLine.module.css';
import noticeStyles from './CartNotice.module.css';
import { LineSync } from './LineSync';
import { useCartChange } from './useCartChange';
import { useRemoveLine } from './removal';
import { leaveMs } from './useLeavingLines';

interface Props {
  line: Schema<'CartItem'>;
  userId: string;
  /** The line has left the cart and is shown only for its closing animation. */
  isLeaving: boolean;
}

/** One product of the cart: a table row; on a phone a small grid. */
export function CartLine({ line, userId, isLeaving }: Props) {
  const row = useRef<HTMLTableRowElement>(null);
  const closing = useRef<Animation>(undefined);
  const update = useCartChange('updateCartItem');
  const remove = useRemoveLine(userId, line);
  const { productId, productName } = line;
  const { units } = useShopFacts();
  const size = useSizeOf()(line);
  const name = useNameWithSize()(line);
  const cents = toCents(line.currentPrice);
  const removeLine = () => {
    focusBeside(row.current);
    remove();
  };
  useEffect(() => {
    if (isLeaving) closing.current = collapse(row.current);
    else if (closing.current) closing.current.effect = null; // the line has come back
  }, [isLeaving]);
  const step = (change: 1 | -1) =>
    line.quantity + change <= 0
      ? removeLine()
      : update.mutate({ userId, update: { productId, change }, name: productName });
  return (
    <tr ref={row} className={styles['line']} inert={isLeaving}>
      <td className={styles['picture']}>
        <Thumbnail imageUrl={line.imageUrl} />
      </td>
      <th scope="row" className={styles['name']}>
        <Link to="/customer/view/product/$id" params={{ id: productId }}>
          {productName}
        </Link>
        {size && <small className={styles['size']}>{size}</small>}
      </th>
      <td className={`tabular ${styles['unit']}`}>
        {formatMoney(cents)} <Was price={line.compareAtPrice} /> <UnitPrice>{unitPrice(cents, line, units)}</UnitPrice>
      </td>
      <td className={styles['quantity']}>
        <QuantityStepper name={name} value={line.quantity} max={Math.min(line.stock, maxQuantity)} onChange={step} />
      </td>
      <td className={`${styles['total']} ${update.isPending ? styles['pending'] : ''}`}>
        <Price cents={cents * line.quantity} />
      </td>
      <td className={styles['remove']}>
        <IconButton icon="trash" label={`Remove ${name}`} data-removes="" onClick={removeLine} />
      </td>
      <CartNotice line={line} userId={userId} onRemove={removeLine} />
      <LineSync line={line} userId={userId} />
    </tr>
  );
}

function collapse(row: HTMLElement | null): Animation | undefined {
  return row?.animate(
    [
      { height: `${row.offsetHeight}px`, opacity: 1, overflow: 'hidden' },
      { height: '0', paddingBlock: '0', opacity: 0, overflow: 'hidden' },
    ],
    { duration: leaveMs, easing: 'ease-out', fill: 'forwards' },
  );
}

interface Answer {
  label: string;
  /** The button's full name, if the label is only clear beside its line. */
  name?: string;
  act: () => void;
}

interface NoticeProps {
  line: Schema<'CartItem'>;
  userId: string;
  onRemove: () => void;
}

/** The notice that must be settled before ordering, with its action: accept the price, take fewer, or remove the line. */
function CartNotice({ line, userId, onRemove }: NoticeProps) {
  const update = useCartChange('updateCartItem');
  const sentence = noticeSentence(line);
  if (!sentence) return null;
  const set = (quantity: number) =>
    update.mutate({ userId, update: { cartItemId: line.id, quantity }, name: line.productName });
  const answers = {
    price_changed: {
      label: 'OK',
      name: `OK, ${formatMoney(toCents(line.currentPrice))}`,
      act: () => set(line.quantity),
    },
    not_enough_stock: { label: `Take ${line.stock}`, act: () => set(line.stock) },
    out_of_stock: { label: 'Remove', act: onRemove },
    archived: { label: 'Remove', act: onRemove },
  };
  const { label, name, act }: Answer = answers[line.notice ?? 'archived'];
  return (
    <td className={noticeStyles['strip']} data-review="">
      <LaterIcon name="info" />
      <span>{sentence}</span>
      <Button variant="outline" aria-label={name} onClick={act}>
        {label}
      </Button>
    </td>
  );
}
