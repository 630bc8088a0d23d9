import { isCartChange } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { useRefused } from '../outbox/outbox';
import { isAbout } from './lineState';

/** @returns the number of lines and refused changes to settle before the checkout. Rule: docs/rules/cart.md, Resolving notices */
export function useOpenChanges(userId: string, cart: Schema<'Cart'> | undefined): number {
  const refused = useRefused(userId).filter(isCartChange);
  const lines = cart?.cartItems ?? [];
  const isOf = ({ productId }: Schema<'CartItem'>) => refused.some((change) => isAbout(change, productId));
  const isOfNone = (change: (typeof refused)[number]) => !lines.some(({ productId }) => isAbout(change, productId));
  return lines.filter((line) => line.notice !== null || isOf(line)).length + refused.filter(isOfNone).length;
}
