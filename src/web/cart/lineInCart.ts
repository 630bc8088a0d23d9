import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isCartChange, maxQuantity, withChange } from '../../shared/cart';
import type { Schema } from '../../shared/contract';
import { stopAll } from '../browser/listen';
import { outbox } from '../outbox/outbox';
import { session } from '../server/session';
import { cartKey } from './cartKey';
import { isAbout } from './lineState';

/** A product that is in the user's cart, as its card shows it. */
export interface LineInCart {
  userId: string;
  /** With the unsent changes. */
  line: Schema<'CartItem'>;
  /** The most units that the customer can have. */
  most: number;
  /** A change of it has no answer yet. */
  isPending: boolean;
}

type Product = Pick<Schema<'Product'>, 'id' | 'quantity'>;

const carts = new WeakMap<QueryClient, ReturnType<typeof follow>>();

/**
 * The lines of the cart that is already in the cache, without a call of their own. A card renders again only when its
 * own line changes.
 */
export function cartOf(cache: QueryClient) {
  const cart = carts.get(cache) ?? follow(cache);
  carts.set(cache, cart);
  return cart;
}

export function useLineInCart(product: Product): LineInCart | undefined {
  const cart = cartOf(useQueryClient());
  return useSyncExternalStore(
    cart.subscribe,
    () => cart.lineOf(product),
    () => undefined,
  );
}

function follow(cache: QueryClient) {
  const known = new Map<string, LineInCart>();
  const remember = (key: string, next: LineInCart | undefined): LineInCart | undefined => {
    const before = known.get(key);
    if (next && before && isSame(next, before)) return before;
    if (next) known.set(key, next);
    return next;
  };
  return {
    subscribe: (listener: () => void) =>
      stopAll(
        outbox.subscribe(listener),
        session.subscribe(listener),
        cache.getQueryCache().subscribe(({ type, query }) => {
          if (type === 'updated' && query.queryKey.at(-1) === 'cart') listener();
        }),
      ),
    /** @returns the same object while nothing in it has changed */
    lineOf: (product: Product) => remember(product.id, find(cache, product)),
    /** The same of a card. One of several sizes has the units of all of them together, without a limit. */
    ofCard: ({ sizes, ...product }: Product & Pick<Schema<'Product'>, 'sizes'>) =>
      sizes ? remember(`sizes of ${product.id}`, findAny(cache, sizes)) : remember(product.id, find(cache, product)),
  };
}

function find(cache: QueryClient, { id, quantity }: Product): LineInCart | undefined {
  const userId = session.get()?.id;
  const cart = userId === undefined ? undefined : cache.getQueryData<Schema<'Cart'>>(cartKey(userId));
  if (userId === undefined || !cart) return undefined;
  const waiting = outbox.waiting(userId).filter(isCartChange);
  const isLine = ({ productId }: Schema<'CartItem'>) => productId === id;
  const line = waiting.reduce(withChange, cart).cartItems.find(isLine);
  if (!line) return undefined;
  const stock = cart.cartItems.find(isLine)?.stock ?? quantity; // the shop has not answered for a new line
  return {
    userId,
    line,
    most: Math.min(stock, maxQuantity),
    isPending: waiting.some((change) => isAbout(change, id)),
  };
}

function findAny(cache: QueryClient, sizes: readonly Product[]): LineInCart | undefined {
  const lines = sizes.flatMap((size) => find(cache, size) ?? []);
  const [first] = lines;
  const quantity = lines.reduce((sum, { line }) => sum + line.quantity, 0);
  const isPending = lines.some((each) => each.isPending);
  return first && { ...first, line: { ...first.line, quantity }, most: Infinity, isPending };
}

const isSame = (one: LineInCart, other: LineInCart) =>
  one.userId === other.userId &&
  one.most === other.most &&
  one.isPending === other.isPending &&
  one.line.quantity === other.line.quantity &&
  one.line.price === other.line.price &&
  one.line.notice === other.line.notice;
