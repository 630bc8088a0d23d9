/** One success and every error of orders, their payments and their mails, for the contract test. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { alarms, mails } from '../../src/server/db/schema/tables';
import type { Scenarios } from './accountScenarios';
import { buy, openOrder, signatureOf } from './buying';
import type { Person, TestShop } from './shop';

const own = (person: Person) => ({ userId: person.userId });

export function orderScenarios(shop: () => TestShop): Scenarios {
  const some = () => shop().signIn();
  const admin = () => shop().signIn({ role: 'ROLE_ADMIN' });
  const owner = () => shop().signIn({ role: 'ROLE_OWNER' });
  const placed = () => openOrder(shop());
  async function paid() {
    const order = await placed();
    await buy(shop(), order);
    return order;
  }
  const capture = (person: Person, sessionId: string) =>
    shop().call('capturePayment', {
      as: person,
      query: { session_id: sessionId, user_id: person.userId, cart_id: person.cartId },
    });
  const refund = async (orderId: string, body: object = {}) =>
    shop().call('refundOrder', { as: await admin(), path: { orderId }, body: { reason: 'Asked for', ...body } });
  const cancel = async (orderId: string) =>
    shop().call('cancelOrder', { as: await admin(), path: { orderId }, body: { reason: 'Ordered twice' } });
  /** A paid order whose payment belongs to another provider account, as after a change of keys. */
  async function ofOtherAccount(): Promise<string> {
    const { orderId } = await paid();
    const otherIntent = `pi_${randomUUID().replaceAll('-', '')}`;
    const sent = [otherIntent, orderId];
    await shop().pool.query('update payment_sessions set payment_intent_id = $1 where order_id = $2', sent);
    return orderId;
  }
  const ofChosen = (id: 'getPickList' | 'getPackingSlips' | 'exportLabels') => ({
    success: async () => shop().call(id, { as: await admin(), query: { ids: [(await paid()).orderId] } }),
    order_not_found: async () =>
      shop().call(id, { as: await admin(), query: { ids: [(await paid()).orderId, randomUUID()] } }),
  });
  async function someMail(): Promise<string> {
    const { orderId } = await paid();
    const [mail] = await shop().db.select().from(mails).where(eq(mails.orderId, orderId));
    return mail?.id ?? '';
  }

  return {
    streamEvents: {
      success: async () => shop().call('streamEvents', { as: await some() }),
      too_many_streams: async () => {
        const person = await some();
        const headers = { authorization: `Bearer ${person.token}` };
        const leaving = new AbortController();
        const open = () => fetch(`${shop().url}/api/public/events`, { headers, signal: leaving.signal });
        await Promise.all(Array.from({ length: 6 }, open));
        const answer = await shop().call('streamEvents', { as: person });
        leaving.abort();
        return answer;
      },
    },
    listCustomerOrders: {
      success: async () =>
        ((person) => shop().call('listCustomerOrders', { as: person, path: own(person) }))((await paid()).as),
    },
    getOrder: {
      success: async () =>
        ((order) => shop().call('getOrder', { as: order.as, path: { orderId: order.orderId } }))(await paid()),
      order_not_found: async () => shop().call('getOrder', { as: await some(), path: { orderId: randomUUID() } }),
    },
    cancelOwnOrder: {
      success: async () =>
        ((order) => shop().call('cancelOwnOrder', { as: order.as, path: { orderId: order.orderId } }))(await placed()),
      order_not_found: async () => shop().call('cancelOwnOrder', { as: await some(), path: { orderId: randomUUID() } }),
      order_paid: async () =>
        ((order) => shop().call('cancelOwnOrder', { as: order.as, path: { orderId: order.orderId } }))(await paid()),
      payment_unavailable: async () => {
        const order = await placed();
        await shop().control('fault', { next: 2, kind: '503' });
        return shop().call('cancelOwnOrder', { as: order.as, path: { orderId: order.orderId } });
      },
    },
    listOrders: { success: async () => shop().call('listOrders', { as: await admin(), query: { status: 'PAID' } }) },
    getPickList: ofChosen('getPickList'),
    getPackingSlips: ofChosen('getPackingSlips'),
    exportLabels: ofChosen('exportLabels'),
    updateOrderStatus: {
      success: async () =>
        shop().call('updateOrderStatus', {
          as: await admin(),
          path: { orderId: (await paid()).orderId, status: 'OUT_FOR_DELIVERY' },
        }),
      order_not_found: async () =>
        shop().call('updateOrderStatus', { as: await admin(), path: { orderId: randomUUID(), status: 'DELIVERED' } }),
      illegal_status_change: async () =>
        shop().call('updateOrderStatus', {
          as: await admin(),
          path: { orderId: (await placed()).orderId, status: 'DELIVERED' },
        }),
    },
    refundOrder: {
      success: async () => refund((await paid()).orderId),
      order_not_found: async () => refund(randomUUID()),
      not_refundable: async () => refund((await placed()).orderId),
      refund_too_large: async () => refund((await paid()).orderId, { amount: 4.51 }),
      already_restocked: async () => {
        const { orderId } = await paid();
        await refund(orderId, { amount: 1, restock: true });
        return refund(orderId, { amount: 1, restock: true });
      },
      refund_refused: async () => refund(await ofOtherAccount()),
    },
    cancelOrder: {
      success: async () => cancel((await paid()).orderId),
      order_not_found: async () => cancel(randomUUID()),
      order_paid: async () => {
        const order = await placed();
        await shop().control('deliveries', { mode: 'drop' });
        await shop().control('pay', { session: order.sessionId });
        const answer = await cancel(order.orderId);
        await shop().control('deliveries', { mode: 'normal' });
        return answer;
      },
      order_shipped: async () => {
        const { orderId } = await paid();
        await shop().call('updateOrderStatus', { as: await admin(), path: { orderId, status: 'OUT_FOR_DELIVERY' } });
        return cancel(orderId);
      },
      refund_refused: async () => cancel(await ofOtherAccount()),
      payment_unavailable: async () => {
        const { orderId } = await placed();
        await shop().control('fault', { next: 2, kind: '503' });
        return cancel(orderId);
      },
    },
    previewReorder: {
      success: async () =>
        ((order) => shop().call('previewReorder', { as: order.as, path: { orderId: order.orderId } }))(await paid()),
      order_not_found: async () => shop().call('previewReorder', { as: await some(), path: { orderId: randomUUID() } }),
    },
    listMails: { success: async () => shop().call('listMails', { as: await owner(), query: { size: 100 } }) },
    getMail: {
      success: async () => shop().call('getMail', { as: await owner(), path: { mailId: await someMail() } }),
      mail_not_found: async () => shop().call('getMail', { as: await owner(), path: { mailId: randomUUID() } }),
    },
    resendMail: {
      success: async () => {
        const mailId = await someMail();
        await shop().pool.query(`update mails set state = 'failed' where id = $1`, [mailId]);
        return shop().call('resendMail', { as: await owner(), path: { mailId } });
      },
      mail_not_found: async () => shop().call('resendMail', { as: await owner(), path: { mailId: randomUUID() } }),
      mail_cancelled: async () => {
        const mailId = await someMail();
        await shop().pool.query(`update mails set state = 'cancelled' where id = $1`, [mailId]);
        return shop().call('resendMail', { as: await owner(), path: { mailId } });
      },
    },
    listAlarms: { success: async () => shop().call('listAlarms', { as: await admin(), query: { size: 100 } }) },
    settleAlarm: {
      success: async () => {
        const alarmId = randomUUID();
        await shop()
          .db.insert(alarms)
          .values({
            id: alarmId,
            kind: 'event_refused',
            about: `event:${alarmId}`,
            detail: 'Something strange',
            createdAt: shop().clock.now(),
          });
        return shop().call('settleAlarm', { as: await admin(), path: { alarmId } });
      },
      alarm_not_found: async () => shop().call('settleAlarm', { as: await admin(), path: { alarmId: randomUUID() } }),
    },
    listHolds: {
      success: async () => {
        await placed();
        return shop().call('listHolds', { as: await admin(), query: { size: 100 } });
      },
    },
    endHold: {
      success: async () => shop().call('endHold', { as: await admin(), path: { orderId: (await placed()).orderId } }),
      order_not_found: async () => shop().call('endHold', { as: await admin(), path: { orderId: randomUUID() } }),
    },
    getPaymentSettings: { success: async () => shop().call('getPaymentSettings', { as: await some() }) },
    checkPaymentStatus: {
      success: async () =>
        ((order) => shop().call('checkPaymentStatus', { as: order.as, query: { session_id: order.sessionId } }))(
          await paid(),
        ),
      missing_payment_information: async () => shop().call('checkPaymentStatus', { as: await some() }),
    },
    capturePayment: {
      success: async () => ((order) => capture(order.as, order.sessionId))(await paid()),
      missing_payment_information: async () => shop().call('capturePayment', { as: await some() }),
      payment_not_found: async () => capture(await some(), 'cs_test_unknown'),
      payment_not_completed: async () => ((order) => capture(order.as, order.sessionId))(await placed()),
      payment_unavailable: async () => {
        const order = await placed();
        await shop().control('fault', { next: 2, kind: '503' });
        return capture(order.as, order.sessionId);
      },
    },
    receivePaymentEvent: {
      success: () => {
        const payload = JSON.stringify({
          id: 'evt_1',
          object: 'event',
          type: 'customer.created',
          livemode: false,
          data: { object: {} },
        });
        const signature = signatureOf(shop(), payload);
        const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
        return shop().call('receivePaymentEvent', { headers, body: payload });
      },
      invalid_signature: () => shop().call('receivePaymentEvent', { body: { id: 'evt_1' } }),
    },
  };
}
