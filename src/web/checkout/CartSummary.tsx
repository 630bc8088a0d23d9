import { useCanGoBack, useLocation, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { subtotalCents } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { useSession } from '../server/session';
import { Button } from '../ui/Button';
import { Heading } from '../ui/Heading';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Subtotal } from '../ui/Subtotal';
import { Thumbnail } from '../ui/Thumbnail';
import { Waiting } from '../ui/Waiting';
import styles from './CartSummary.module.css';
import { DiscountCode } from './DiscountCode';
import { OrderTotal } from './OrderTotal';
import { PlaceOrder } from './PlaceOrder';
import type { Placing } from './usePlacing';

interface Props {
  placing: Placing;
  /** The cart is loading. */
  isWaiting: boolean;
  /** The id of the element that says why the page waits for a connection, if it does. */
  waitId: string | undefined;
  /** Replaces the Place Order button. */
  instead?: ReactNode;
  /** Shown below the buttons. Forces Place Order to be here, regardless of the owner's settings. */
  foot?: ReactNode;
  /** Messages about the cart. */
  children: ReactNode;
}

/**
 * What will be ordered. Shows the lines handed over by the cart page until the server's cart loads. Back to Cart goes
 * one step back in history, as specified; if this is the tab's first page, it navigates to the cart.
 */
export function CartSummary({ placing, isWaiting, waitId, instead, foot, children }: Props) {
  const { history, navigate } = useRouter();
  const canGoBack = useCanGoBack();
  const goBack = () => (canGoBack ? history.back() : void navigate({ to: '/cart' }));
  const { cart, total, isProcessing } = placing;
  const userId = useSession()?.id;
  const handedOver = useLocation({ select: ({ state }) => state.checkout });
  const lines = (cart ?? (handedOver?.userId === userId ? handedOver : undefined))?.cartItems;
  return (
    <aside className={`panel ${total.hasTotal ? styles['sticky'] : ''}`} aria-label="Cart Summary">
      <Heading as="h2" textStyle="h3" className={styles['title']}>
        Cart Summary
      </Heading>
      {children}
      {!lines && isWaiting && (
        <Waiting what="your cart">
          <SkeletonRows rows={2} hasPictures />
        </Waiting>
      )}
      <ul>
        {lines?.map((line) => (
          <Line key={line.id} line={line} hasPrice={total.hasTotal} />
        ))}
      </ul>
      {total.hasTotal && total.takesCodes && <DiscountCode total={total} isFixed={isProcessing} />}
      {total.hasTotal && (
        <div className={styles['lines']}>
          <OrderTotal total={total} cart={lines} />
        </div>
      )}
      {!total.hasTotal && (
        <div className={styles['subtotal']}>{lines && <Subtotal cents={subtotalCents(lines)} />}</div>
      )}
      {(total.hasTotal || foot) && <PlaceOrder placing={placing} waitId={waitId} instead={instead} />}
      <Button variant="outline" className={styles['back']} onClick={goBack}>
        Back to Cart
      </Button>
      {foot}
    </aside>
  );
}

/** @param props.hasPrice whether to show the line's total */
function Line({ line, hasPrice }: { line: Schema<'CartItem'>; hasPrice: boolean }) {
  return (
    <li className={styles['line']}>
      <Thumbnail imageUrl={line.imageUrl} />
      <div>
        <p className={styles['name']}>{line.productName}</p>
        <p className={styles['quantity']}>Quantity: {line.quantity}</p>
      </div>
      {hasPrice && <span className={`tabular ${styles['price']}`}>{formatMoney(toCents(line.totalPrice))}</span>}
    </li>
  );
}
