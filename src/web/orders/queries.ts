import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { orderMessages } from '../../shared/orders';
import { pageSize } from '../../shared/paging';
import { answer, api } from '../server/client';
import { personalKey } from '../server/queries';
import { orSaved } from '../device/answers';
import { findSavedOrder, findSavedOrders, type Orders } from './onDevice';

const retryAfterMs = 1000;

/**
 * The customer's orders, newest first; offline the ones saved on this device, at most 50.
 * @param page from 1
 * Rule: docs/rules/orders-and-payment.md, Order history
 */
export const ordersQuery = (userId: string, page: number) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'orders', page],
    queryFn: (query) => orSaved(query, readOrders(userId, page, query.signal), () => findSavedOrders(userId, page)),
    retryDelay: retryAfterMs,
    meta: orderMessages.listCustomerOrders,
  });

/** One order, refetched together with the others; offline as saved on this device. */
export const orderQuery = (userId: string, orderId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'orders', 'one', orderId],
    queryFn: (query) => orSaved(query, readOrder(orderId, query.signal), () => findSavedOrder(userId, orderId)),
  });

async function readOrder(orderId: string, signal: AbortSignal): Promise<Schema<'Order'>> {
  return (await answer(api.GET('/public/order/{orderId}', { params: { path: { orderId } }, signal }))).orderResponse;
}

async function readOrders(userId: string, page: number, signal: AbortSignal): Promise<Orders> {
  const params = { path: { userId }, query: { page: page - 1, size: pageSize } };
  return (await answer(api.GET('/public/order/customerorders/{userId}', { params, signal }))).orders;
}
