import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cartMessages } from '../../shared/cartMessages';
import type { Schema } from '../../shared/contract';
import { toastWithUndo } from '../connection/toastWithUndo';
import type { Inputs } from '../outbox/operation';
import { outbox } from '../outbox/outbox';
import { newKey } from '../server/keys';
import { lineFacts } from './lineFacts';
import { cartQuery } from './queries';

/** Removes a line. The toast offers Undo while the product is still sold. */
export function useRemoveLine(userId: string, line: Schema<'CartItem'>) {
  const { mutate } = useRemoval('removeCartItem', [line], `${line.productName} is back in your cart`);
  return () => mutate({ userId, cartItemId: line.id });
}

/** Empties the cart. The toast offers Undo, which restores the products that are still sold. */
export function useClearCart(userId: string, lines: readonly Schema<'CartItem'>[]) {
  const { mutate } = useRemoval('clearCart', lines, 'Your cart is back');
  return () => mutate({ userId });
}

/**
 * Undo withdraws the change if it was not sent yet. Otherwise it adds the lines again, each in its old place.
 * Rule: docs/rules/cart.md, Removing and clearing
 * @param back the message when the lines are in the cart again
 */
function useRemoval<Name extends 'removeCartItem' | 'clearCart'>(
  operation: Name,
  lines: readonly Schema<'CartItem'>[],
  back: string,
) {
  const cache = useQueryClient();
  const sold = lines.filter(({ notice }) => notice !== 'archived' && notice !== 'out_of_stock');
  const { success, failure } = cartMessages[operation];
  const onError = (_error: unknown, { userId }: { userId: string }) => cache.invalidateQueries(cartQuery(userId));
  const undo = useMutation({
    mutationFn: async ({ userId, key, input }: { userId: string; key: string; input: Inputs[Name] }) => {
      if (await outbox.undo(key, input)) return undefined;
      const adding = sold.map((line) =>
        outbox.send('addCartItem', { userId, item: itemOf(line), facts: lineFacts(line) }),
      );
      const sent = await Promise.all(adding);
      return sent.find(({ queued }) => queued);
    },
    networkMode: 'always', // the outbox decides when to wait
    onError,
    meta: { success: back, failure: cartMessages.addCartItem.failure },
  });
  return useMutation({
    mutationFn: async (input: Inputs[Name]) => {
      const key = newKey();
      const answer = await outbox.send(operation, input, { key, wasSent: false });
      const { userId } = input;
      toastWithUndo(answer, success, sold.length > 0 && (() => undo.mutate({ userId, key, input })));
    },
    networkMode: 'always', // the outbox decides when to wait
    onError,
    meta: { failure },
  });
}

function itemOf(line: Schema<'CartItem'>): Schema<'NewCartItem'> {
  const { productId, productName: name, price, imageUrl: image, addedAt } = line;
  const quantity = Math.min(line.quantity, line.stock);
  return { productId, name, price, quantity, image, ...(addedAt && { addedAt }) };
}
