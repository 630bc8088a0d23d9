import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { countUnits, isCartChange, withChange } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { useWaiting } from '../outbox/outbox';
import { cartKey } from './cartKey';
import { cartQuery } from './queries';

/** The server's cart with the unsent changes applied on top. */
export function useCart(userId: string): Schema<'Cart'> | undefined {
  const { data: cart } = useQuery(cartQuery(userId));
  const waiting = useWaiting(userId);
  return cart && waiting.filter(isCartChange).reduce(withChange, cart);
}

/** @returns the units in the cart: from the server's cart, or until it loads from the cart saved on this device */
export function useCartUnits(userId: string): number {
  const { data: cart } = useQuery(cartQuery(userId));
  const saved = useSavedCart(userId, cart === undefined);
  const known = cart ?? saved;
  const waiting = useWaiting(userId);
  return known ? countUnits(waiting.filter(isCartChange).reduce(withChange, known)) : 0;
}

function useSavedCart(userId: string, isNeeded: boolean): Schema<'Cart'> | undefined {
  const [saved, setSaved] = useState<Schema<'Cart'>>();
  useEffect(() => {
    if (!isNeeded) return;
    const find = async () => (await import('../device/saveAnswers')).findSaved<Schema<'Cart'>>(cartKey(userId));
    void find().then(setSaved, () => undefined); // without it the badge waits for the server
  }, [userId, isNeeded]);
  return saved;
}
