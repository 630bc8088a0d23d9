import { useEffect, useState } from 'react';
import { type ChangeRow, changesMessages, type NotedChange } from '../../shared/changes';
import type { Schema } from '../../shared/contract';
import { useCart } from '../cart/queries';
import { readChanges, whenChangesAreNoted } from './journal';
import { useLists } from '../lists/queries';
import { useProducts } from './products';

/** @returns what this device noted for the user; undefined until it is read. Where nothing is kept, nothing changed. */
export function useNoted(userId: string): readonly NotedChange[] | undefined {
  const [noted, setNoted] = useState<readonly NotedChange[]>();
  useEffect(() => {
    let isWanted = true;
    const show = (found: readonly NotedChange[]) => {
      if (isWanted) setNoted(found);
    };
    const read = () => void readChanges(userId).then(show, () => show([]));
    read();
    const stop = whenChangesAreNoted(read);
    return () => {
      isWanted = false;
      stop();
    };
  }, [userId]);
  return noted;
}

/** What is said of a product beside what changed. */
export interface ProductFacts {
  product: Schema<'Product'> | undefined;
  /** 'in your cart'; '' where it is in neither cart nor list. */
  where: string;
}

/** @returns what is known of a product of these rows, as cart and lists are now */
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
