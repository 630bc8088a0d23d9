import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lowStock } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import {
  defaultParChoice,
  isGone,
  onItsWay,
  otherSizes,
  packsInCart,
  type ParChoice,
  type ParRow,
  parMessages,
  type ParSheet,
  parSheet,
} from '../../../shared/orderToPar';
import { cartQuery } from '../../cart/queries';
import { useCart } from '../../cart/useCart';
import { productQuery } from '../../catalog/core/queries';
import { toast } from '../../ui/toast';
import { type AddedToCart, addToCart, undoAddToCart } from './addToCart';
import { latestOrdersQuery } from './latestOrders';
import { useOtherSizes, useProducts } from './products';
import { useList } from '../core/queries';

export interface OrderToPar {
  /** Undefined until the list, cart, orders and products are known. */
  sheet: ParSheet | undefined;
  choice: ParChoice;
  setChoice: (choice: ParChoice) => void;
  /** The known products of the list by id. */
  products: ReadonlyMap<string, Schema<'Product'>>;
  /** Another size for each product that can't be bought and has one, by the id of the former. */
  instead: ReadonlyMap<string, Schema<'Product'>>;
  /** Adds the whole sheet, or these rows, to the cart: one press, each product once, with or without a connection. */
  add: (rows?: ParSheet['rows']) => void;
  isAdding: boolean;
  /** The result of the last press; undefined after its undo. */
  added: AddedToCart | undefined;
  /** Undoes exactly what the last press added. */
  undo: () => void;
}

/**
 * The order that fills a list up to par. A press reports its result in a toast with Undo.
 * @param showCart opens the cart from the toast
 * Rule: docs/rules/kitchen.md, Order to par
 */
export function useOrderToPar(userId: string, listId: string, showCart?: () => void): OrderToPar {
  const [choice, setChoice] = useState(defaultParChoice);
  const list = useList(userId, listId);
  const cart = useCart(userId);
  const { data: orders } = useQuery(latestOrdersQuery(userId));
  const items = list?.items;
  const { data: serverCart } = useQuery(cartQuery(userId));
  const { products: loaded, isKnown } = useProducts(items?.map(({ productId }) => productId) ?? []);
  const sheetOf = (products: Products) =>
    items && cart && orders && isKnown
      ? parSheet({ items, inCart: packsInCart(cart), onItsWay: onItsWay(orders), products }, choice)
      : undefined;
  const products = withCartStock(useExactStock(sheetOf(loaded), loaded), serverCart);
  const sheet = sheetOf(products);
  const gone = (sheet?.rows ?? []).filter(isGone).flatMap(({ productId }) => products.get(productId) ?? []);
  const others = useOtherSizes(gone);
  const instead = otherSizes(sheet?.rows ?? [], others, { products, inCart: packsInCart(cart) });
  const addable = new Map([...products, ...[...instead.values()].map((size) => [size.id, size] as const)]);
  return { sheet, choice, setChoice, products, instead, ...useAdding({ userId, sheet, products: addable, showCart }) };
}

type Products = OrderToPar['products'];

/**
 * The device is notified of every stock change at 10 units or fewer, and never of larger stocks. If more is missing than the
 * known stock, the server is asked.
 */
function useExactStock(sheet: ParSheet | undefined, products: Products): Products {
  const isUncertain = ({ productId, note }: ParRow) =>
    note === 'short' && (products.get(productId)?.quantity ?? 0) > lowStock;
  const ids = sheet?.rows.filter(isUncertain).map(({ productId }) => productId) ?? [];
  const exact = useQueries({ queries: ids.map(productQuery) }).flatMap(({ data }) => data ?? []);
  return new Map([...products, ...exact.map((product) => [product.id, product] as const)]);
}

/**
 * Uses the stock of the server's cart, which counts units held by the user's own open order as available to the user.
 * The product may be newer than the cart, so the result never exceeds its stock plus the quantity in the cart.
 */
function withCartStock(products: Products, cart: Schema<'Cart'> | undefined): Products {
  const lines = (cart?.cartItems ?? []).flatMap(({ productId, quantity: inCart, stock, available }) => {
    const product = products.get(productId);
    if (!product) return [];
    return [
      [
        productId,
        { ...product, quantity: Math.min(stock, product.quantity + inCart), availability: available },
      ] as const,
    ];
  });
  return new Map([...products, ...lines]);
}

interface Adding {
  userId: string;
  sheet?: ParSheet | undefined;
  products: Products;
  showCart?: (() => void) | undefined;
}

/** Adds rows to the cart and shows a toast with a link to it and Undo. */
export function useAdding({ userId, sheet, products, showCart }: Adding) {
  const [added, setAdded] = useState<AddedToCart>();
  const undoing = useMutation({
    mutationFn: (what: AddedToCart) => undoAddToCart(userId, what),
    onMutate: () => setAdded(undefined),
    meta: { success: parMessages.undone, failure: parMessages.notUndone },
  });
  const adding = useMutation({
    mutationFn: (rows: ParSheet['rows']) => addToCart(userId, rows, products),
    onSuccess(what) {
      setAdded(what);
      const undo = { label: 'Undo', onPress: () => undoing.mutate(what) };
      if (what.products > 0)
        toast.success(
          parMessages.added(what),
          showCart ? { ...undo, before: { label: 'View cart', onPress: showCart } } : undo,
        );
      if (what.refused > 0) toast.error(parMessages.refused(what.refused));
    },
    meta: { failure: parMessages.notAdded },
  });
  return {
    add: (rows = sheet?.rows) => {
      if (rows && !adding.isPending) adding.mutate(rows);
    },
    isAdding: adding.isPending,
    added,
    undo: () => {
      if (added) undoing.mutate(added);
    },
  };
}
