import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { cartMessages } from '../../shared/cartMessages';
import type { Schema } from '../../shared/contract';
import { sizeFacts } from '../../shared/sizes';
import { cartQuery } from '../cart/queries';
import { outbox } from '../outbox/outbox';
import { sentenceOf } from '../server/errors';
import { toast } from '../ui/toast';

/**
 * @returns puts a canceled order's items into the cart and opens it. An unpaid order leaves the cart as it is, so only
 *   what is missing there is added.
 */
export function usePutBack(userId: string) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async ({ orderItems }: Schema<'Order'>): Promise<void> => {
    try {
      const { cartItems } = await cache.fetchQuery(cartQuery(userId));
      const inCart = new Map(cartItems.map(({ productId, quantity }) => [productId, quantity]));
      const adding = orderItems.flatMap((line) => {
        const { productId, productName: name, unitPrice: price, imageUrl: image, quantity } = line;
        const missing = quantity - (inCart.get(productId) ?? 0);
        const item = { productId, name, price, image, quantity: missing };
        return missing > 0 ? [outbox.send('addCartItem', { userId, item, facts: sizeFacts(line) })] : [];
      });
      await Promise.all(adding);
    } catch (error) {
      toast.error(sentenceOf(error, cartMessages.addCartItem.failure));
    }
    await navigate({ to: '/cart' });
  };
}
