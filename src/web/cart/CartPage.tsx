import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { cartMessages } from '../../shared/cartMessages';
import type { Schema } from '../../shared/contract';
import { AsOf } from '../connection/AsOf';
import { ReadFailure } from '../connection/ReadFailure';
import { focusHeading } from '../ui/focusHeading';
import { UnpaidOrder } from '../unpaid/UnpaidOrder';
import { PageHead } from '../ui/PageHead';
import { Waiting } from '../ui/Waiting';
import { WaitingNotice } from '../waiting/WaitingNotice';
import { CartLine } from './CartLine';
import lineStyles from './CartLine.module.css';
import styles from './CartPage.module.css';
import skeleton from './CartSkeleton.module.css';
import { CartTotal } from './CartTotal';
import { EmptyCart } from './EmptyCart';
import { SyncAnnouncement } from './LineSync';
import { cartQuery } from './queries';
import { useCart } from './useCart';
import { useUnsentCart } from './useCartChange';
import { RefusedChanges } from './RefusedChanges';
import { useLeavingLines } from './useLeavingLines';

const route = getRouteApi('/shop/signed-in/cart');

export function CartPage() {
  const { user } = route.useRouteContext();
  const cart = useCart(user.id);
  const unsent = useUnsentCart(user.id);
  const read = useQuery(cartQuery(user.id));
  const { error } = read;
  useFocusWhenEmptied(cart?.cartItems.length);
  if (cart?.cartItems.length === 0) {
    return (
      <>
        <EmptyCart />
        <div className="wrap">
          <UnpaidOrder userId={user.id} isCartEmpty />
          <RefusedChanges lines={[]} userId={user.id} />
        </div>
      </>
    );
  }
  return (
    <div className="wrap">
      <PageHead title="Cart" />
      {cart && <AsOf />}
      {!cart && error && <ReadFailure read={read} failure={cartMessages.noData} />}
      {!cart && !error && <CartSkeleton />}
      {cart && <RefusedChanges lines={cart.cartItems} userId={user.id} />}
      <SyncAnnouncement userId={user.id} />
      <UnpaidOrder userId={user.id} />
      <WaitingNotice userId={user.id} />
      {cart && (
        <div className={styles['split']}>
          <Lines cart={cart} userId={user.id} />
          <CartTotal cart={cart} userId={user.id} />
        </div>
      )}
      {!cart && error && unsent && <Lines cart={unsent} userId={user.id} />}
    </div>
  );
}

/** When the last line, and the focus with it, is gone: scrolls to the top and focuses the heading. */
function useFocusWhenEmptied(count: number | undefined): void {
  const before = useRef(count);
  useEffect(() => {
    if (before.current && count === 0) {
      focusHeading();
      scrollTo(0, 0);
    }
    before.current = count;
  }, [count]);
}

function Lines({ cart, userId }: { cart: Schema<'Cart'>; userId: string }) {
  const lines = useLeavingLines(cart.cartItems);
  return (
    <table className={styles['lines']}>
      <caption className="sr-only">Cart items</caption>
      <thead>
        <tr>
          <th scope="col">Photo</th>
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
        {lines.map(({ line, isLeaving }) => (
          <CartLine key={line.id} line={line} userId={userId} isLeaving={isLeaving} />
        ))}
      </tbody>
    </table>
  );
}

/** Three lines and the summary, while the cart loads. */
function CartSkeleton() {
  return (
    <Waiting what="your cart" className={styles['split']}>
      <div className={skeleton['lines']}>
        {[1, 2, 3].map((line) => (
          <div key={line} className={lineStyles['line']}>
            <span className={`skeleton ${skeleton['picture']}`} />
            <span className={`skeleton ${skeleton['name']}`} />
          </div>
        ))}
      </div>
      <div className={`panel skeleton ${skeleton['summary']}`} />
    </Waiting>
  );
}
