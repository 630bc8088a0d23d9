import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, Suspense, useState } from 'react';
import { isCartChange, subtotalCents } from '../../shared/cart';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { userQuery } from '../users/queries';
import { OnlineButton } from '../connection/OnlineButton';
import { useRefused } from '../outbox/outbox';
import { useIsOnline } from '../server/reachability';
import { useShop } from '../settings/queries';
import { ActionButton } from '../ui/ActionButton';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Subtotal } from '../ui/Subtotal';
import styles from './CartTotal.module.css';
import { useClearCart } from './removal';
import { lazyPart } from '../ui/lazyPart';

const ConfirmDialog = lazyPart(() => import('../ui/ConfirmDialog'), 'ConfirmDialog');
const hintId = 'settle-first';

/** The Subtotal and the two actions: checkout, or clear the cart. */
export function CartTotal({ cart, userId }: { cart: Schema<'Cart'>; userId: string }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const { cartItems, totalAmount, cartId } = cart;
  const clear = useClearCart(userId, cartItems);
  const hint = useHint(cart, userId);
  const isOnline = useIsOnline();
  const mayPrepare = useMayPrepare(userId);
  const Proceed = mayPrepare ? PreparingButton : OnlineButton;
  const hasExtraCharges = useHasExtraCharges();
  const proceed = () => navigate({ to: '/checkout', state: { checkout: { userId, cartItems, totalAmount, cartId } } });
  return (
    <aside className={`panel ${styles['summary']}`} aria-label="Summary">
      <Subtotal cents={subtotalCents(cartItems)} />
      {hasExtraCharges && <p className={styles['later']}>{messages.addedLater}</p>}
      <output id={hintId} className={styles['hint']} hidden={!hint}>
        {hint}
      </output>
      <Proceed
        what="check out"
        size="lg"
        isOff={hint !== undefined}
        aria-describedby={hint && hintId}
        onClick={() => void proceed()}
      >
        {!isOnline && !mayPrepare && <Icon name="cloudOff" />}
        Proceed to Checkout
      </Proceed>
      <Button variant="ghost" colorPalette="error" onClick={() => setAsking(true)}>
        Clear Cart
      </Button>
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

/** Whether the checkout can be prepared offline: a saved address is on this device. */
function useMayPrepare(userId: string): boolean {
  const isOnline = useIsOnline();
  const { data } = useQuery({ ...userQuery(userId), ...(isOnline && { enabled: false }), networkMode: 'always' });
  return !isOnline && data !== undefined && data.addresses.length > 0;
}

const PreparingButton = ({ what: _what, ...button }: ComponentProps<typeof OnlineButton>) => (
  <ActionButton {...button} />
);

/** Whether delivery or tax is added to the goods. */
function useHasExtraCharges(): boolean {
  const { checkout } = useShop();
  return Boolean(checkout && checkout.deliveryMethods.length + checkout.taxRates.length > 0);
}

/** @returns what must be settled before the checkout. Rule: docs/rules/cart.md, Resolving notices */
function useHint(cart: Schema<'Cart'>, userId: string): string | undefined {
  const refused = useRefused(userId).filter(isCartChange);
  if (refused.length > 0) return "Retry or discard the changes that didn't go through";
  const isSettled = cart.cartItems.every((line) => line.notice === null);
  return isSettled ? undefined : 'Review the highlighted items to continue';
}
