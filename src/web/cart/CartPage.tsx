import { Button } from '@chakra-ui/react/button';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { isSettled, subtotalCents } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { formatMoney } from '../../shared/money';
import { sentenceOf } from '../api/queryClient';
import { FailureNotice } from '../ui/FailureNotice';
import { PageHead } from '../ui/PageHead';
import { CartLine } from './CartLine';
import styles from './CartPage.module.css';
import { EmptyCart } from './EmptyCart';
import { cartQuery, useCart, useCartChange } from './queries';

const route = getRouteApi('/shop/signed-in/cart');
const ConfirmDialog = lazy(async () => ({ default: (await import('../ui/ConfirmDialog')).ConfirmDialog }));

export function CartPage() {
  const { user } = route.useRouteContext();
  const cart = useCart(user.id);
  const { error, refetch } = useQuery(cartQuery(user.id));
  if (cart?.cartItems.length === 0) return <EmptyCart />;
  return (
    <div className="wrap" aria-busy={!cart && !error}>
      <PageHead title="Cart" />
      {!cart && error && <FailureNotice sentence={sentenceOf(error, 'Cart data is not available')} onRetry={refetch} />}
      {cart && (
        <div className={styles['split']}>
          <Lines cart={cart} userId={user.id} />
          <Summary cart={cart} userId={user.id} />
        </div>
      )}
    </div>
  );
}

interface Props {
  cart: Schema<'Cart'>;
  userId: string;
}

function Lines({ cart, userId }: Props) {
  return (
    <table className={styles['lines']}>
      <caption className="sr-only">Cart items</caption>
      <thead>
        <tr>
          <th scope="col">Image</th>
          <th scope="col">Name</th>
          <th scope="col">Price</th>
          <th scope="col">Quantity</th>
          <th scope="col">Total</th>
          <th scope="col">
            <span className="sr-only">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {cart.cartItems.map((line) => (
          <CartLine key={line.id} line={line} userId={userId} />
        ))}
      </tbody>
    </table>
  );
}

function Summary({ cart, userId }: Props) {
  const navigate = useNavigate();
  const clear = useCartChange('clearCart');
  const [isAsking, setAsking] = useState(false);
  const { cartItems, totalAmount, cartId } = cart;
  const proceed = () => navigate({ to: '/checkout', state: { checkout: { cartItems, totalAmount, cartId } } });
  return (
    <aside className={`panel ${styles['summary']}`} aria-label="Summary">
      <p className={styles['subtotal']}>
        <span>Subtotal</span>
        <span className="tabular">{formatMoney(subtotalCents(cartItems))}</span>
      </p>
      {!isSettled(cart) && <p className={styles['hint']}>Please settle the marked items first</p>}
      <Button size="lg" disabled={!isSettled(cart)} onClick={() => void proceed()}>
        Proceed to Checkout
      </Button>
      <Button variant="ghost" color="fg.error" onClick={() => setAsking(true)}>
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
