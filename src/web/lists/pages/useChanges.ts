import { useEffect, useState } from 'react';
import { type ChangeRow, changesMessages, type NotedChange } from '../../../shared/changes';
import type { Schema } from '../../../shared/contract';
import { useCart } from '../../cart/useCart';
import { readChanges, whenChangesAreNoted } from './journal';
import { useLists } from '../core/queries';
import { useProducts } from './products';

/**
 * @returns the changes noted on this device for the user; undefined while loading, empty if the device stores nothing
 */
export function useNotedChanges(userId: string): readonly NotedChange[] | undefined {
  const [noted, setNoted] = useState<readonly NotedChange[]>();
  useEffect(() => {
    let isMounted = true;
    const show = (found: readonly NotedChange[]) => {
      if (isMounted) setNoted(found);
    };
    const read = () => void readChanges(userId).then(show, () => show([]));
    read();
    const stop = whenChangesAreNoted(read);
    return () => {
      isMounted = false;
      stop();
    };
  }, [userId]);
  return noted;
}

/** What a change shows about its product. */
export interface ProductFacts {
  product: Schema<'Product'> | undefined;
  /** 'in your cart'; '' if it is in neither the cart nor a list. */
  where: string;
}

/** @returns looks up a product of these rows, with the current cart and lists */
export function useProductFacts(userId: string, rows: readonly ChangeRow[]): (productId: string) => ProductFacts {
  const ids = rows.flatMap(({ change }) => (change.kind === 'order' ? [] : [change.productId]));
  const { products } = useProducts([...new Set(ids)].toSorted());
  const cart = useCart(userId);
  const lists = useLists(userId) ?? [];
  return (productId) => {
    const isInCart = cart?.cartItems.some((line) => line.productId === productId) ?? false;
    const isOn = ({ items }: (typeof lists)[number]) => items.some((item) => item.productId === productId);
    const names = lists.filter(isOn).map(({ name }) => name);
    return { product: products.get(productId), where: changesMessages.where(isInCart, names) };
  };
}
