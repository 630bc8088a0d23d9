/** One success and every error of the back office's operations except the catalog's, for the contract test. */
import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/shared/contract';
import { defaultSettings } from '../../src/shared/settings';
import type { Scenario, Scenarios } from './accountScenarios';
import { openOrder, paidOrder } from './buying';
import { emailSettingsScenarios } from './emailSettingsScenarios';
import { fileForm, jpeg } from './pictures';
import type { Person, TestShop } from './shop';

export function staffScenarios(shop: () => TestShop): Scenarios {
  const admin = () => shop().signIn({ role: 'ROLE_ADMIN' });
  const owner = () => shop().signIn({ role: 'ROLE_OWNER' });
  const asAdmin =
    (id: OperationId, options: object = {}): Scenario =>
    async () =>
      shop().call(id, { as: await admin(), ...options });

  const atOrder =
    (id: 'getOrderForStaff' | 'setOrderTracking' | 'addOrderNote', body?: object) =>
    async (orderId?: string): ReturnType<Scenario> =>
      shop().call(id, {
        as: await admin(),
        path: { orderId: orderId ?? (await openOrder(shop())).orderId },
        ...(body && { body }),
      });
  const ofOrder = (call: ReturnType<typeof atOrder>) => ({
    success: () => call(),
    order_not_found: () => call(randomUUID()),
  });

  const parcelIn = async (orderItems: { orderItemId: string }[], as: Person, path: { orderId: string }, quantity = 1) =>
    shop().call('createParcel', {
      as,
      path,
      body: { lines: [{ orderItemId: orderItems[0]?.orderItemId ?? '', quantity }], carrier: 'usps' },
    });
  const toShip = async () => {
    const as = await admin();
    const path = { orderId: (await paidOrder(shop(), { quantity: 5 }, 2)).orderId };
    const { orderItems } = (await shop().call('getOrder', { as, path })).data.orderResponse;
    return { as, path, create: (quantity?: number) => parcelIn(orderItems, as, path, quantity) };
  };
  const parcelOf = async () => {
    const { as, path, create } = await toShip();
    const { id: parcelId = '' } = (await create(2)).data.orderResponse.parcels?.[0] ?? {};
    return { as, path: { ...path, parcelId } };
  };
  const noParcel = { orderId: randomUUID(), parcelId: randomUUID() };

  const someMessage = async (as: Person) => {
    await shop().call('createContactMessage', { body: { email: 'ana@example.com', reason: 'Hello' } });
    const { data } = await shop().call('listMessages', { as, query: { size: 1 } });
    return data.messages.content[0]?.id;
  };
  const ofMessage = (id: 'getMessage' | 'setMessageState' | 'replyToMessage', body?: object) => ({
    success: async () => {
      const as = await admin();
      return shop().call(id, { as, path: { messageId: (await someMessage(as)) ?? '' }, ...(body && { body }) });
    },
    message_not_found: asAdmin(id, { path: { messageId: randomUUID() }, ...(body && { body }) }),
  });

  const endSessions = async (as: Person, userId: string) => shop().call('endSessionsOfUser', { as, path: { userId } });

  const setLogo = async (file: Buffer) => shop().call('setLogo', { as: await owner(), ...fileForm(file) });

  /** The change dropped the cached settings, which the next scenarios count on. */
  const readAgain = async <Done>(done: Done): Promise<Done> => {
    await shop().call('getShop');
    return done;
  };

  const ofOwnMails = async (id: 'getStaffMails' | 'setStaffMails', body?: object) => {
    const as = await admin();
    return shop().call(id, { as, path: { userId: as.userId }, ...(body && { body }) });
  };

  return {
    getStaffMails: { success: () => ofOwnMails('getStaffMails') },
    setStaffMails: {
      success: () => ofOwnMails('setStaffMails', { newOrder: 'each', lowStock: true, newMessage: true }),
    },
    getOrderForStaff: ofOrder(atOrder('getOrderForStaff')),
    setOrderTracking: ofOrder(atOrder('setOrderTracking', { shipmentTrackingUrl: 'https://parcels.example.com/1' })),
    addOrderNote: ofOrder(atOrder('addOrderNote', { text: 'Rings at the side door' })),
    createParcel: {
      success: async () => (await toShip()).create(),
      order_not_found: async () => parcelIn([{ orderItemId: randomUUID() }], await admin(), { orderId: randomUUID() }),
      nothing_left_to_ship: async () => (await toShip()).create(3),
    },
    updateParcel: {
      success: async () => shop().call('updateParcel', { ...(await parcelOf()), body: { trackingNumber: '9400 1' } }),
      parcel_not_found: asAdmin('updateParcel', { path: noParcel, body: { trackingNumber: '9400 1' } }),
    },
    deleteParcel: {
      success: async () => shop().call('deleteParcel', await parcelOf()),
      parcel_not_found: asAdmin('deleteParcel', { path: noParcel }),
      parcel_final: async () => {
        const { as, path } = await parcelOf();
        await shop().call('updateOrderStatus', { as, path: { orderId: path.orderId, status: 'DELIVERED' } });
        return shop().call('deleteParcel', { as, path });
      },
    },
    exportOrders: { success: asAdmin('exportOrders') },
    exportCategories: { success: asAdmin('exportCategories') },
    exportUsers: { success: asAdmin('exportUsers') },
    endSessionsOfUser: {
      success: async () => endSessions(await admin(), (await shop().signIn()).userId),
      user_not_found: async () => endSessions(await admin(), randomUUID()),
      owner_sessions: async () => endSessions(await admin(), (await owner()).userId),
    },
    listMessages: { success: asAdmin('listMessages', { query: { q: 'Hello', state: 'new' } }) },
    getMessage: ofMessage('getMessage'),
    setMessageState: ofMessage('setMessageState', { state: 'read' }),
    replyToMessage: ofMessage('replyToMessage', { text: 'Yes, we do' }),
    listAudit: { success: asAdmin('listAudit', { query: { size: 100 } }) },
    exportAudit: { success: asAdmin('exportAudit') },
    getDashboard: { success: asAdmin('getDashboard', { query: { period: 'year' } }) },
    getGoLive: { success: asAdmin('getGoLive') },
    getHealthReport: { success: async () => shop().call('getHealthReport', { as: await owner() }) },
    setLogo: {
      success: async () => readAgain(await setLogo(await jpeg())),
      not_a_picture: () => setLogo(Buffer.from('<svg/>')),
      picture_too_large: async () => setLogo(await jpeg(20_000, 1)),
    },
    removeLogo: {
      success: async () => {
        await setLogo(await jpeg());
        return readAgain(await shop().call('removeLogo', { as: await owner() }));
      },
    },
    getSettings: { success: asAdmin('getSettings') },
    updateSettings: {
      success: async () => shop().call('updateSettings', { as: await owner(), body: defaultSettings }),
      second_factor_is_off: async () =>
        shop().call('updateSettings', { as: await owner(), body: { ...defaultSettings, secondFactorOfStaff: true } }),
    },
    getPaymentStatus: { success: async () => shop().call('getPaymentStatus', { as: await owner() }) },
    checkPayments: { success: async () => shop().call('checkPayments', { as: await owner(), body: {} }) },
    getShop: { success: () => shop().call('getShop') },
    ...emailSettingsScenarios(shop),
  };
}
