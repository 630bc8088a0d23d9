import { newOrderForm } from '../../shared/checkoutForms';
import type { Schema } from '../../shared/contract';
import type { Clock } from '../clock';
import type { Db } from '../db/transact';
import type { ContractApi } from '../http/contract';
import { presentPage, type PageRequest } from '../http/paging';
import type { Payments } from '../payments/provider';
import { placeOrder } from './placing';
import { presentOrder } from './present';
import { listOrders, type OrderFilter } from './repository';
import { readOrder, updateOrderStatus } from './service';

type Parts = { db: Db; clock: Clock; payments: Payments };

export function orderRoutes(api: ContractApi, parts: Parts): void {
  api.on(
    'placeOrder',
    async ({ params, session, body }) => {
      const { customer, deliveryAddress } = newOrderForm.parse(body);
      return {
        message: 'Order created successfully',
        data: await placeOrder(parts, { userId: session.userId, cartId: params.cartId, customer, deliveryAddress }),
      };
    },
    { form: newOrderForm },
  );
  api.on('getOrder', async ({ db, params, session }) => ({
    message: 'Order',
    data: { orderResponse: presentOrder(await readOrder(db, params.orderId, session), session.userId) },
  }));
  api.on('listCustomerOrders', async ({ db, query, session }) => answerPage(db, { userId: session.userId }, query, session.userId));
  api.on('listOrders', async ({ db, query, session }) =>
    answerPage(db, query.status ? { status: query.status } : {}, query, session.userId),
  );
  api.on('updateOrderStatus', async ({ tx, params, session, now }) => ({
    message: 'Order status updated successfully',
    data: { orderResponse: presentOrder(await updateOrderStatus(tx, params.orderId, params.status, session, now), session.userId) },
  }));
}

async function answerPage(db: Db, filter: OrderFilter, query: Partial<PageRequest>, viewerId: string): Promise<Schema<'OrdersAnswer'>> {
  const { page = 0, size = 10 } = query;
  const { content, totalElements } = await listOrders(db, filter, { page, size });
  const orders = content.map((order) => presentOrder(order, viewerId));
  return { message: 'Orders', data: { orders: presentPage(orders, totalElements, { page, size }) } };
}
