import { Button } from '@chakra-ui/react/button';
import { Heading } from '@chakra-ui/react/heading';
import { useLocation, useRouter } from '@tanstack/react-router';
import { subtotalCents } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { Subtotal } from '../ui/Subtotal';
import { Thumbnail } from '../ui/Thumbnail';
import styles from './CartSummary.module.css';

/** What will be ordered. What the cart page handed over is shown until the server's cart is there. */
export function CartSummary({ cart }: { cart: Schema<'Cart'> | undefined }) {
  const { history } = useRouter();
  const handedOver = useLocation({ select: ({ state }) => state.checkout?.cartItems });
  const lines = cart?.cartItems ?? handedOver ?? [];
  return (
    <aside className="panel" aria-label="Cart Summary">
      <Heading as="h2" textStyle="h3" mb="1">
        Cart Summary
      </Heading>
      <ul>
        {lines.map((line) => (
          <li key={line.id} className={styles['line']}>
            <Thumbnail imageUrl={line.imageUrl} />
            <div>
              <p className={styles['name']}>{line.productName}</p>
              <p className={styles['quantity']}>Quantity: {line.quantity}</p>
            </div>
          </li>
        ))}
      </ul>
      <div className={styles['subtotal']}>
        <Subtotal cents={subtotalCents(lines)} />
      </div>
      <Button variant="outline" width="full" onClick={() => history.back()}>
        Back to Cart
      </Button>
    </aside>
  );
}
