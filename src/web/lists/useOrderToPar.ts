import { queryOptions, useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../shared/contract';
import {
  defaultParChoice,
  onItsWay,
  packsInCart,
  type ParChoice,
  parSays,
  type ParSheet,
  parSheet,
} from '../../shared/orderToPar';
import { useCart } from '../cart/queries';
import { productQuery } from '../catalog/queries';
import { orSaved } from '../device/answers';
import { answer, api } from '../server/client';
import { personalKey } from '../server/queries';
import { toast } from '../ui/toast';
import { type AddedToCart, addToCart, takeOutAgain } from './addToCart';
import { useList } from './queries';

/** As many as the device keeps: who has more on its way has counted before. */
const latestOrders = 50;

/** The user's latest orders, for what is on its way; without a connection those that this device keeps. */
const latestOrdersQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'orders', 'latest'],
    queryFn: ({ queryKey, signal }) => orSaved(queryKey, readOrders(userId, signal), () => findSavedOrders(userId)),
  });

async function readOrders(userId: string, signal: AbortSignal): Promise<readonly Schema<'Order'>[]> {
  const params = { path: { userId }, query: { page: 0, size: latestOrders } };
  return (await answer(api.GET('/public/order/customerorders/{userId}', { params, signal }))).orders.content;
}

async function findSavedOrders(userId: string): Promise<readonly Schema<'Order'>[]> {
  const { orders } = await (await import('../device/db')).db.ready();
  return orders.where({ userId }).toArray();
}

/** @returns the products by their ids, as far as they are known; from the device's catalog, or from the server */
export function useProducts(ids: readonly string[]) {
  return useQueries({
    queries: ids.map((id) => productQuery(id)),
    combine: (results) => ({
      products: new Map(results.flatMap(({ data }) => (data ? [[data.id, data] as const] : []))),
      isKnown: results.every(({ isPending }) => !isPending),
    }),
  });
}

export interface OrderToPar {
  /** Undefined until list, cart, orders and products are known. */
  sheet: ParSheet | undefined;
  choice: ParChoice;
  setChoice: (choice: ParChoice) => void;
  /** Adds all of the sheet to the cart: one press, each product once, with or without a connection. */
  add: () => void;
  isAdding: boolean;
  /** What the last press did; undefined once it was undone. */
  added: AddedToCart | undefined;
  /** Takes back exactly what the last press added. */
  undo: () => void;
}

/**
 * The order that fills a list up to par. A press says what it did, with Undo.
 * Rule: docs/rules/kitchen.md, Order to par
 */
export function useOrderToPar(userId: string, listId: string): OrderToPar {
  const [choice, setChoice] = useState(defaultParChoice);
  const list = useList(userId, listId);
  const cart = useCart(userId);
  const { data: orders } = useQuery(latestOrdersQuery(userId));
  const items = list?.items;
  const { products, isKnown } = useProducts(items?.map(({ productId }) => productId) ?? []);
  const sheet =
    items && cart && orders && isKnown
      ? parSheet({ items, inCart: packsInCart(cart), onItsWay: onItsWay(orders), products }, choice)
      : undefined;
  const imageOf = (productId: string) => products.get(productId)?.imageUrl ?? null;
  return { sheet, choice, setChoice, ...useAdding(userId, sheet, imageOf) };
}

function useAdding(userId: string, sheet: ParSheet | undefined, imageOf: (productId: string) => string | null) {
  const [added, setAdded] = useState<AddedToCart>();
  const undoing = useMutation({
    mutationFn: (what: AddedToCart) => takeOutAgain(userId, what),
    onMutate: () => setAdded(undefined),
    meta: { success: parSays.undone, failure: parSays.notUndone },
  });
  const adding = useMutation({
    mutationFn: (rows: ParSheet['rows']) => addToCart(userId, rows, imageOf),
    onSuccess(what) {
      setAdded(what);
      const undo = { label: 'Undo', onPress: () => undoing.mutate(what) };
      if (what.products > 0) toast.success(parSays.added(what), undo);
      if (what.refused > 0) toast.error(parSays.refused(what.refused));
    },
    meta: { failure: parSays.notAdded },
  });
  return {
    add: () => {
      if (sheet && !adding.isPending) adding.mutate(sheet.rows);
    },
    isAdding: adding.isPending,
    added,
    undo: () => {
      if (added) undoing.mutate(added);
    },
  };
}
