import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type CartChanges, isCartChange, withChange } from '../../shared/cart';
import { cartMessages } from '../../shared/cartMessages';
import type { Schema } from '../../shared/contract';
import type { Inputs } from '../outbox/operation';
import { outbox, useWaiting } from '../outbox/outbox';
import { cartQuery } from './queries';

/**
 * A change of the cart by its operation's name: `useCartChange('addCartItem').mutate({ userId, item })`.
 */
export function useCartChange<Name extends keyof CartChanges>(operation: Name) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Inputs[Name]) => outbox.send(operation, input),
    networkMode: 'always', // the outbox decides when to wait
    // a rejection often means that the shown cart was outdated
    onError: (_error, { userId }) => cache.invalidateQueries(cartQuery(userId)),
    meta: cartMessages[operation],
  });
}

/** @returns a cart of only the unsent changes, for when the rest cannot be loaded */
export function useUnsentCart(userId: string): Schema<'Cart'> | undefined {
  const nothing: Schema<'Cart'> = { cartId: userId, cartItems: [], totalAmount: 0 };
  const cart = useWaiting(userId).filter(isCartChange).reduce(withChange, nothing);
  return cart.cartItems.length > 0 ? cart : undefined;
}
