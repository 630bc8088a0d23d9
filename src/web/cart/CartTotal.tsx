import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { isCartChange, isSettled, subtotalCents } from '../../shared/cart';
import { says } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { OnlineButton } from '../connection/OnlineButton';
import { useRefused } from '../outbox/outbox';
import { useIsOnline } from '../server/reachability';
import { useShop } from '../settings/queries';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Subtotal } from '../ui/Subtotal';
import styles from './CartTotal.module.css';
import { useCartChange } from './queries';
import { lazyPart } from '../ui/lazyPart';

const ConfirmDialog = lazyPart(() => import('../ui/ConfirmDialog'), 'ConfirmDialog');
const hintId = 'settle-first';

/** The Subtotal, and the two ways on: to checkout, or to an empty cart. */
export function CartTotal({ cart, userId }: { cart: Schema<'Cart'>; userId: string }) {
  const navigate = useNavigate();
  const clear = useCartChange('clearCart');
  const [isAsking, setAsking] = useState(false);
  const { cartItems, totalAmount, cartId } = cart;
  const hint = useHint(cart, userId);
  const isOnline = useIsOnline();
  const isMoreAdded = useIsMoreAdded();
  const proceed = () => navigate({ to: '/checkout', state: { checkout: { userId, cartItems, totalAmount, cartId } } });
  return (
    <aside className={`panel ${styles['summary']}`} aria-label="Summary">
      <Subtotal cents={subtotalCents(cartItems)} />
      {isMoreAdded && <p className={styles['later']}>{says.addedLater}</p>}
      <output id={hintId} className={styles['hint']} hidden={!hint}>
        {hint}
      </output>
      <OnlineButton
        what="Checkout"
        size="lg"
        isOff={hint !== undefined}
        aria-describedby={hint && hintId}
        onClick={() => void proceed()}
      >
        {!isOnline && <Icon name="cloudOff" />}
        Proceed to Checkout
      </OnlineButton>
      <Button variant="ghost" colorPalette="error" onClick={() => setAsking(true)}>
        Clear Cart
      </Button>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            title="Clear Cart"
            text="Everything in your cart will be removed."
            action="Clear Cart"
            onConfirm={() => clear.mutate({ userId })}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </aside>
  );
}

/** Whether delivery or tax comes to the goods. */
function useIsMoreAdded(): boolean {
  const { checkout } = useShop();
  return Boolean(checkout && checkout.deliveryMethods.length + checkout.taxRates.length > 0);
}

/** @returns what has to be decided before the checkout. Rule: docs/rules/cart.md, Settling a line */
function useHint(cart: Schema<'Cart'>, userId: string): string | undefined {
  const refused = useRefused(userId).filter(isCartChange);
  if (refused.length > 0) return 'Please retry or discard the refused changes first';
  return isSettled(cart) ? undefined : 'Please settle the marked items first';
}
