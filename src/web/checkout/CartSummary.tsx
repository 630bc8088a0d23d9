import { useCanGoBack, useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { subtotalCents } from '../../shared/cart';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { formatMoney, toCents } from '../../shared/money';
import { FreeDelivery } from '../cart/FreeDelivery';
import { useSizeThen } from '../catalog/core/useSizeOf';
import { useSession } from '../server/session';
import { Button } from '../ui/Button';
import { Heading } from '../ui/Heading';
import { Icon } from '../ui/Icon';
import { SkeletonRows } from '../ui/SkeletonRows';
import { Subtotal } from '../ui/Subtotal';
import { Thumbnail } from '../ui/Thumbnail';
import { useSinglePress } from '../ui/useSinglePress';
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
  /** Shown below the button. */
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
  const pressOnce = useSinglePress(); // two steps back would leave the cart too
  const goBack = () => (canGoBack ? history.back() : void navigate({ to: '/cart' }));
  const { cart, total, isProcessing } = placing;
  const userId = useSession()?.id;
  const handedOver = useLocation({ select: ({ state }) => state.checkout });
  const lines = (cart ?? (handedOver?.userId === userId ? handedOver : undefined))?.cartItems;
  const [isAll, setAll] = useState(false);
  return (
    <aside className={`panel ${styles['summary']}`} aria-label="Cart Summary">
      <div className={styles['head']}>
        <Heading as="h2" textStyle="h3">
          Cart Summary
        </Heading>
        <Button variant="ghost" size="sm" className={styles['back']} onClick={() => pressOnce(goBack)}>
          Back to Cart
        </Button>
      </div>
      {children}
      {!lines && isWaiting && (
        <Waiting what="your cart">
          <SkeletonRows rows={2} hasPictures />
        </Waiting>
      )}
      {lines && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
        <section className={styles['items']} aria-label="Items" tabIndex={0}>
          <ul className={isAll ? undefined : styles['few']}>
            {lines.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ul>
          {lines.length > fewLines && !isAll && (
            <Button variant="ghost" className={styles['all']} onClick={() => setAll(true)}>
              {messages.showAll(lines.length)}
              <Icon name="chevronDown" size={16} />
            </Button>
          )}
        </section>
      )}
      {total.quote && <FreeDelivery {...freeDeliveryOf(total.quote)} />}
      {total.hasTotal && total.takesCodes && <DiscountCode total={total} isFixed={isProcessing} />}
      <div className={styles['lines']}>
        {total.hasTotal && <OrderTotal total={total} cart={lines} />}
        {!total.hasTotal && lines && <Subtotal cents={subtotalCents(lines)} />}
      </div>
      <PlaceOrder placing={placing} waitId={waitId} instead={instead} />
      {foot}
    </aside>
  );
}

/** How many lines a phone shows at first. */
const fewLines = 3;

/** The goods after the discount, and from which of them the chosen method is free. */
function freeDeliveryOf({ goods, discount, deliveryMethods, deliveryMethodId, delivery }: Schema<'Quote'>) {
  const freeFrom = deliveryMethods?.find(({ id }) => id === deliveryMethodId)?.freeFrom ?? null;
  const freeFromCents = freeFrom === null ? null : toCents(freeFrom);
  const goodsCents = toCents(goods) - toCents(discount?.amount ?? 0);
  return { freeFromCents, goodsCents: delivery === 0 ? Math.max(goodsCents, freeFromCents ?? 0) : goodsCents };
}

function Line({ line }: { line: Schema<'CartItem'> }) {
  const sizeThen = useSizeThen();
  return (
    <li className={styles['line']}>
      <Thumbnail imageUrl={line.imageUrl} />
      <div>
        <p className={styles['name']}>{line.productName}</p>
        <p className={styles['quantity']}>{sizeThen(line, `Quantity: ${line.quantity}`)}</p>
      </div>
      <span className={`tabular ${styles['price']}`}>{formatMoney(toCents(line.totalPrice))}</span>
    </li>
  );
}
