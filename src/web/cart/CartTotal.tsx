import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { goodsCents } from '../../shared/cart';
import { reviewChanges } from '../../shared/cartNotice';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { everywhereFreeFrom } from '../../shared/freeDelivery';
import { formatMoney } from '../../shared/money';
import { userQuery } from '../users/queries';
import { ConnectionNotice } from '../connection/ConnectionNotice';
import { SaveCart } from '../lists/core/SaveCart';
import { useIsOnline } from '../server/reachability';
import { useShop } from '../settings/queries';
import { ActionButton } from '../ui/ActionButton';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { LaterIcon } from '../ui/LaterIcon';
import { Subtotal } from '../ui/Subtotal';
import styles from './CartTotal.module.css';
import { FreeDelivery } from './FreeDelivery';
import { useOpenChanges } from './openChanges';
import bar from './OrderBar.module.css';
import { useClearCart } from './removal';
import { lazyPart } from '../ui/lazyPart';

const ConfirmDialog = lazyPart(() => import('../ui/ConfirmDialog'), 'ConfirmDialog');
const hintId = 'settle-first';
const noticeId = 'checkout-needs-connection';

/** The Subtotal and the actions: checkout, save as list, clear. On a phone the checkout is in a bar above the tab bar. */
export function CartTotal({ cart, userId }: { cart: Schema<'Cart'>; userId: string }) {
  const [isAsking, setAsking] = useState(false);
  const clear = useClearCart(userId, cart.cartItems);
  const isOnline = useIsOnline();
  const mayPrepare = useMayPrepare(userId);
  const isOff = !isOnline && !mayPrepare;
  const { checkout: terms } = useShop();
  const cents = goodsCents(cart.cartItems);
  return (
    <aside className={`panel ${styles['summary']}`} aria-label="Summary">
      {terms && <FreeDelivery goodsCents={cents} freeFromCents={everywhereFreeFrom(terms.deliveryMethods, cents)} />}
      <Subtotal cents={cents} />
      {terms && terms.deliveryMethods.length + terms.taxRates.length > 0 && (
        <p className={styles['later']}>{messages.addedLater}</p>
      )}
      {isOff && <ConnectionNotice what="check out" id={noticeId} />}
      <Checkout cart={cart} userId={userId} cents={cents} isOff={isOff} />
      <div className={styles['actions']}>
        <SaveCart userId={userId} cart={cart} />
        <Button variant="ghost" colorPalette="error" onClick={() => setAsking(true)}>
          Clear Cart
        </Button>
      </div>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            title="Clear Cart"
            text="This removes everything in your cart."
            action="Clear Cart"
            onConfirm={clear}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </aside>
  );
}

interface CheckoutProps {
  cart: Schema<'Cart'>;
  userId: string;
  cents: number;
  /** There is no connection, and no order can be prepared. */
  isOff: boolean;
}

function Checkout({ cart, userId, cents, isOff }: CheckoutProps) {
  const navigate = useNavigate();
  const { cartItems, totalAmount, cartId } = cart;
  const openChanges = useOpenChanges(userId, cart);
  const proceed = () => navigate({ to: '/checkout', state: { checkout: { userId, cartItems, totalAmount, cartId } } });
  return (
    <div className={bar['bar']} data-bar="">
      <output id={hintId} className={bar['reason']} hidden={openChanges === 0}>
        {openChanges > 0 && (
          <>
            <LaterIcon name="info" size={16} />
            <button type="button" className="link" onClick={reviewFirst}>
              {reviewChanges(openChanges)}
            </button>
          </>
        )}
      </output>
      <p className={`tabular ${bar['sum']}`}>
        <small>Subtotal</small>
        <b>{formatMoney(cents)}</b>
      </p>
      <ActionButton
        size="lg"
        className={bar['place'] ?? ''}
        isOff={openChanges > 0 || isOff}
        aria-describedby={[openChanges > 0 && hintId, isOff && noticeId].filter(Boolean).join(' ') || undefined}
        onClick={() => void proceed()}
      >
        {isOff && <Icon name="cloudOff" />}
        Proceed to Checkout
      </ActionButton>
    </div>
  );
}

/** Scrolls to the first change that needs an answer, and focuses the answer. */
function reviewFirst(): void {
  const answer = document.querySelector<HTMLElement>('[data-review] button');
  answer?.scrollIntoView({ block: 'center' });
  answer?.focus({ preventScroll: true });
}

/** Whether the checkout can be prepared offline: a saved address is on this device. */
function useMayPrepare(userId: string): boolean {
  const isOnline = useIsOnline();
  const { data } = useQuery({ ...userQuery(userId), ...(isOnline && { enabled: false }), networkMode: 'always' });
  return !isOnline && data !== undefined && data.addresses.length > 0;
}
