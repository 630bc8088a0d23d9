import { newOrderForm } from '../../shared/checkoutForms';
import { says, whyNotPlaceable } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { orderSays } from '../../shared/orders';
import type { Clock } from '../clock';
import type { Db } from '../db/transact';
import type { ContractApi } from '../http/contract';
import { presentPage, type PageRequest } from '../http/paging';
import { invalid } from '../http/problems';
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
        message: says.created,
        data: await placeOrder(parts, { userId: session.userId, cartId: params.cartId, customer, deliveryAddress }),
      };
    },
    { refuse: refuseIncomplete, form: newOrderForm },
  );
  api.on('getOrder', async ({ db, params, session }) => ({
    message: 'Order',
    data: { orderResponse: presentOrder(await readOrder(db, params.orderId, session), session.userId) },
  }));
  api.on('listCustomerOrders', async ({ db, query, session }) =>
    answerPage(db, { userId: session.userId }, query, session.userId),
  );
  api.on('listOrders', async ({ db, query, session }) =>
    answerPage(db, query.status ? { status: query.status } : {}, query, session.userId),
  );
  api.on('updateOrderStatus', async ({ tx, params, session, now }) => ({
    message: orderSays.updateOrderStatus.success,
    data: {
      orderResponse: presentOrder(
        await updateOrderStatus(tx, params.orderId, params.status, session, now),
        session.userId,
      ),
    },
  }));
}

/** What is missing is said in the specification's order, before the fields are looked at one by one. */
function refuseIncomplete(body: unknown): void {
  const { customer, deliveryAddress } = (body ?? {}) as Record<string, unknown>;
  const address = typeof deliveryAddress === 'object' && deliveryAddress !== null ? deliveryAddress : undefined;
  const name = typeof customer === 'string' ? customer : undefined;
  const message = whyNotPlaceable({ cartId: 'in the path', address, customer: name, userId: 'of the session' });
  if (message) throw invalid(message, [], address ? 'customer_required' : 'address_required');
}

async function answerPage(
  db: Db,
  filter: OrderFilter,
  query: Partial<PageRequest>,
  viewerId: string,
): Promise<Schema<'OrdersAnswer'>> {
  const { page = 0, size = 10 } = query;
  const { content, totalElements } = await listOrders(db, filter, { page, size });
  const orders = content.map((order) => presentOrder(order, viewerId));
  return { message: 'Orders', data: { orders: presentPage(orders, totalElements, { page, size }) } };
}
