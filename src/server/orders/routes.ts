import { randomUUID } from 'node:crypto';
import { v5 as uuidFrom } from 'uuid';
import { newOrderForm } from '../../shared/checkoutForms';
import { says, whyNotPlaceable } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import { orderSays } from '../../shared/orders';
import type { Clock } from '../clock';
import type { Db } from '../db/transact';
import type { ContractApi } from '../http/contract';
import { presentPage } from '../http/paging';
import { invalid } from '../http/problems';
import type { Payments } from '../payments/provider';
import { refundOrder } from '../payments/refunds';
import type { KeptSettings } from '../settings/service';
import { placeOrder } from './placing';
import { presentOrder, presentRefund } from './present';
import { previewReorder } from './reorder';
import { listOrdersOf, type FullOrder } from './repository';
import { readOrder, updateOrderStatus } from './service';
import { staffOrderRoutes } from './staffRoutes';

type Parts = { db: Db; clock: Clock; payments: Payments; settings: KeptSettings };

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
    data: { orderResponse: presentOrder(await readOrder(db, params.orderId, session), session) },
  }));
  api.on('listCustomerOrders', async ({ db, query: { page = 0, size = 10 }, session }) => {
    const { content, totalElements } = await listOrdersOf(db, session.userId, { page, size });
    const orders = content.map((order) => presentOrder(order, session));
    return { message: 'Orders', data: { orders: presentPage(orders, totalElements, { page, size }) } };
  });
  staffOrderRoutes(api, parts);
  api.on('updateOrderStatus', async ({ tx, params, session, by, now }) => ({
    message: orderSays.updateOrderStatus.success,
    data: {
      orderResponse: presentOrder(
        await updateOrderStatus(tx, params.orderId, params.status, session, by, now),
        session,
      ),
    },
  }));
  api.on('refundOrder', async ({ db, params, session, by, body, request }) => {
    const refund = await refundOrder(parts, {
      refundId: refundIdOf(request.headers['idempotency-key'], session.userId),
      orderId: params.orderId,
      amountCents: body.amount === undefined ? undefined : toCents(body.amount),
      restock: body.restock ?? false,
      reason: body.reason.trim(),
      by: { ...by, userId: session.userId },
    });
    const { id, orderId, state, amountCents } = refund;
    request.log.info({ refund: id, orderId, state, amountCents, actor: session.userId }, 'refund');
    const order = await readOrder(db, orderId, session);
    return {
      message: state === 'done' ? orderSays.refundOrder.success : orderSays.refundOrder.asked,
      data: { refund: requireRefund(order, id), orderResponse: presentOrder(order, session) },
    };
  });
  api.on('previewReorder', async ({ db, params, session }) => ({
    message: 'Reorder',
    data: { reorder: { orderId: params.orderId, lines: await previewReorder(db, params.orderId, session.userId) } },
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

/** The same click is the same refund, also when the answer to the first was lost on the way. */
const refundIdOf = (key: unknown, userId: string) =>
  typeof key === 'string' ? uuidFrom(`refund by ${userId}`, key.toLowerCase()) : randomUUID();

function requireRefund(order: FullOrder, refundId: string): Schema<'Refund'> {
  const refund = order.refunds.find(({ id }) => id === refundId);
  if (!refund) throw new Error(`refund ${refundId} is not among its order's`);
  return presentRefund(refund, true);
}
