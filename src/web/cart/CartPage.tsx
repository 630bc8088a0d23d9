import { useQuery } from '@tanstack/react-query';
import { cartSays } from '../../shared/cart';
import { getRouteApi } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { sentenceOf } from '../api/queryClient';
import { FailureNotice } from '../ui/FailureNotice';
import { PageHead } from '../ui/PageHead';
import { CartLine } from './CartLine';
import styles from './CartPage.module.css';
import { CartSkeleton } from './CartSkeleton';
import { CartTotal } from './CartTotal';
import { EmptyCart } from './EmptyCart';
import { cartQuery, useCart } from './queries';

const route = getRouteApi('/shop/signed-in/cart');

export function CartPage() {
  const { user } = route.useRouteContext();
  const cart = useCart(user.id);
  const { error, refetch } = useQuery(cartQuery(user.id));
  if (cart?.cartItems.length === 0) return <EmptyCart />;
  return (
    <div className="wrap" aria-busy={!cart && !error}>
      <PageHead title="Cart" />
      {!cart && error && <FailureNotice sentence={sentenceOf(error, cartSays.noData)} onRetry={refetch} />}
      {!cart && !error && <CartSkeleton />}
      {cart && (
        <div className={styles['split']}>
          <Lines cart={cart} userId={user.id} />
          <CartTotal cart={cart} userId={user.id} />
        </div>
      )}
    </div>
  );
}

function Lines({ cart, userId }: { cart: Schema<'Cart'>; userId: string }) {
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
