import { useState } from 'react';
import { inOrder, type ProductList } from '../../../shared/lists';
import { outbox } from '../../outbox/outbox';

/**
 * The list in the order of the shelf. A new order is shown immediately, and sent through the outbox without a message.
 * Rule: docs/rules/kitchen.md, Shelf order
 */
export function useShelfOrder(userId: string, saved: ProductList) {
  const [latest, setLatest] = useState<readonly string[]>(); // until the device has stored it and the server knows it
  const setOrder = (productIds: readonly string[]) => {
    setLatest(productIds);
    void outbox
      .send('orderList', { userId, listId: saved.id, listName: saved.name, productIds })
      .catch(() => undefined) // of a rejected order the old one is shown again
      .then(() => setLatest((shown) => (shown === productIds ? undefined : shown)));
  };
  return { list: latest ? { ...saved, items: inOrder(saved.items, latest) } : saved, setOrder };
}
