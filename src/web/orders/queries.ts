import { queryOptions } from '@tanstack/react-query';
import { orderSays } from '../../shared/orders';
import { pageSize } from '../../shared/paging';
import { isRefusal } from '../api/apiError';
import { answer, api } from '../api/client';
import { personalKey } from '../api/queryClient';

const retryAfterMs = 1000;

/**
 * The customer's own orders, newest first.
 * @param page from 1
 * Source: specification §7, three more tries one second apart
 */
export const ordersQuery = (userId: string, page: number) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'orders', page],
    queryFn: async ({ signal }) => {
      const params = { path: { userId }, query: { page: page - 1, size: pageSize } };
      return (await answer(api.GET('/public/order/customerorders/{userId}', { params, signal }))).orders;
    },
    retry: (failures, error) => failures < 3 && !isRefusal(error),
    retryDelay: retryAfterMs,
    meta: orderSays.listCustomerOrders,
  });
