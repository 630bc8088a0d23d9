import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { orSaved } from '../../device/answers';
import { answer, api } from '../../server/client';
import { personalKey } from '../../server/queries';

/** As many as the device stores. Anyone with more orders on their way has counted in between. */
const latestOrders = 50;

/** The user's latest orders, to find packs on their way; without a connection the ones saved on this device. */
export const latestOrdersQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'orders', 'latest'],
    queryFn: (query) => orSaved(query, readOrders(userId, query.signal), () => findSavedOrders(userId)),
  });

async function readOrders(userId: string, signal: AbortSignal): Promise<readonly Schema<'Order'>[]> {
  const params = { path: { userId }, query: { page: 0, size: latestOrders } };
  return (await answer(api.GET('/public/order/customerorders/{userId}', { params, signal }))).orders.content;
}

async function findSavedOrders(userId: string): Promise<readonly Schema<'Order'>[]> {
  const { orders } = await (await import('../../device/db')).db.ready();
  return orders.where({ userId }).toArray();
}

const none: ReadonlySet<string> = new Set();

/** @returns the products of the user's paid orders */
export function useOrderedBefore(userId: string): ReadonlySet<string> {
  const { data: orders } = useQuery(latestOrdersQuery(userId));
  const paid = orders?.filter(({ orderStatus }) => orderStatus !== 'PENDING_PAYMENT' && orderStatus !== 'CANCELLED');
  return paid ? new Set(paid.flatMap(({ orderItems }) => orderItems.map(({ productId }) => productId))) : none;
}
