import { cartMessages } from '../../shared/cartMessages';
import type { Schema } from '../../shared/contract';
import type { ContractApi } from '../http/contract/contract';
import { presentCart, presentLine } from './present';
import type { CartLine } from './lines';
import type { CartRow } from './repository';
import { addToCart, changeCartItem, clearCart, readCart, removeCartItem, setCartItem } from './service';

/** The contract layer has rejected a {userId} that is not the session's, and opened `tx`. */
export function cartRoutes(api: ContractApi): void {
  api.on('getCart', async ({ db, session }) => answer('Cart', await readCart(db, session.userId)));
  api.on('addCartItem', async ({ tx, session, body, now }) =>
    answer(cartMessages.addCartItem.success, await addToCart(tx, session.userId, body, now)),
  );
  api.on('updateCartItem', async ({ tx, session, body, now }) =>
    answerLine(
      'quantity' in body
        ? await setCartItem(tx, session.userId, body)
        : await changeCartItem(tx, session.userId, body, now),
    ),
  );
  api.on('removeCartItem', async ({ tx, session, params }) =>
    answer(cartMessages.removeCartItem.success, await removeCartItem(tx, session.userId, params.cartItemId)),
  );
  api.on('clearCart', async ({ tx, session }) =>
    answer(cartMessages.clearCart.success, await clearCart(tx, session.userId)),
  );
}

const answer = (message: string, cart: CartRow): Schema<'CartAnswer'> => ({
  message,
  data: { cartResponse: presentCart(cart) },
});

const answerLine = (line: CartLine | undefined): Schema<'CartItemAnswer'> => ({
  message: cartMessages.updateCartItem.success,
  data: { cartItem: line ? presentLine(line) : null },
});
