import { newOrderForm } from '../../shared/checkoutForms';
import { messages, whyNotPlaceable } from '../../shared/checkout';
import { toCents } from '../../shared/money';
import { orderMessages } from '../../shared/orders';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import { invalid } from '../http/core/problems';
import type { SettingsCache } from '../settings/service';
import { packingRoutes } from './packingRoutes';
import { placeOrder, type PlacingParts } from './placing';
import { presentOrder } from './present';
import { requestedCode, quoteOrder } from './quote';
import { previewReorder } from './reorder';
import { listOrdersOf } from './repository';
import { cancelOwnOrder, readOrder, updateOrderStatus } from './service';
import { staffOrderRoutes } from './staffRoutes';

type Parts = PlacingParts & { settings: SettingsCache };

export function orderRoutes(api: ContractApi, parts: Parts): void {
  api.on(
    'placeOrder',
    async ({ params, session, body, request }) => {
      const { customer, deliveryAddress, deliveryNote } = newOrderForm(await parts.settings.get()).parse(body);
      const { deliveryMethodId, discountCode, expectedTotal } = body;
      return {
        message: messages.created,
        data: await placeOrder(parts, {
          userId: session.userId,
          address: request.ip,
          cartId: params.cartId,
          customer,
          deliveryAddress,
          deliveryMethodId: deliveryMethodId ?? undefined,
          discountCode: requestedCode(discountCode),
          expectedCents: typeof expectedTotal === 'number' ? toCents(expectedTotal) : undefined,
          deliveryNote: deliveryNote || undefined,
        }),
      };
    },
    { refuse: requireComplete, form: async () => newOrderForm(await parts.settings.get()) },
  );
  api.on('quoteOrder', async ({ params, session, body, request }) => ({
    message: messages.quoteOrder.success,
    data: {
      quote: await quoteOrder(parts, { userId: session.userId, cartId: params.cartId, address: request.ip }, body),
    },
  }));
  api.on('getOrder', async ({ db, params, session }) => ({
    message: 'Order',
    data: { orderResponse: presentOrder(await readOrder(db, params.orderId, session), session) },
  }));
  api.on('listCustomerOrders', async ({ db, query: { page = 0, size = 10 }, session }) => {
    const { content, totalElements } = await listOrdersOf(db, session.userId, { page, size });
    const orders = content.map((order) => presentOrder(order, session));
    return { message: 'Orders', data: { orders: presentPage(orders, totalElements, { page, size }) } };
  });
  api.on('cancelOwnOrder', async ({ params, session }) => ({
    message: orderMessages.cancelOwnOrder.success,
    data: { orderResponse: presentOrder(await cancelOwnOrder(parts, params.orderId, session), session) },
  }));
  staffOrderRoutes(api, parts);
  packingRoutes(api, parts);
  api.on('updateOrderStatus', async ({ tx, params, session, by, now }) => ({
    message: orderMessages.updateOrderStatus.success,
    data: {
      orderResponse: presentOrder(
        await updateOrderStatus(tx, params.orderId, params.status, session, by, now),
        session,
      ),
    },
  }));
  api.on('previewReorder', async ({ db, params, session }) => ({
    message: 'Reorder',
    data: { reorder: { orderId: params.orderId, lines: await previewReorder(db, params.orderId, session.userId) } },
  }));
}

/** Reports missing fields before other errors, in a fixed order. Rule: docs/rules/orders-and-payment.md, What an order needs */
function requireComplete(body: unknown): void {
  const { customer, deliveryAddress } = (body ?? {}) as Record<string, unknown>;
  const address = typeof deliveryAddress === 'object' && deliveryAddress !== null ? deliveryAddress : undefined;
  const name = typeof customer === 'string' ? customer : undefined;
  const message = whyNotPlaceable({ cartId: 'in the path', address, customer: name, userId: 'of the session' });
  if (message) throw invalid(message, [], address ? 'customer_required' : 'address_required');
}
