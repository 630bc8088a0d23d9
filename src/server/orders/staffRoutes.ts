import { sendExport } from '../audit/exports';
import type { QueryOf } from '../../shared/contract';
import { orderMessages as messages } from '../../shared/orders';
import { orderNoteForm, trackingForm } from '../../shared/ordersForms';
import { ordersList } from '../../shared/ordersList';
import { newParcelForm, parcelChangeForm } from '../../shared/parcelForms';
import { parcelMessages as parcels } from '../../shared/parcels';
import { withLongTimeout, type Db } from '../db/core/transact';
import type { Session } from '../http/contract/access';
import type { ContractApi } from '../http/contract/contract';
import { presentPage } from '../http/contract/paging';
import { findPeriod } from '../http/core/shopDays';
import type { SettingsCache } from '../settings/service';
import { findProductsOfSku } from './orderSearch';
import { createParcel, deleteParcel, updateParcel } from './parcels';
import { findLinesOfOrders, orderLineColumns, orderLinesFile } from './orderLines';
import { presentOrder } from './present';
import { addNote, readOrderForStaff, setTracking, type StaffOrder } from './staff';
import { findExportedOrders, listOrderIds, listOrders, orderColumns, type OrderList } from './staffLists';

export function staffOrderRoutes(api: ContractApi, { settings }: { settings: SettingsCache }): void {
  const listOf = async (db: Db, query: QueryOf<'listOrders'>): Promise<OrderList> => {
    const { timeZone } = await settings.get();
    const [period, productsOfSku] = [await findPeriod(db, query, timeZone), await findProductsOfSku(db, query.q)];
    return { ...query, period, productsOfSku };
  };

  api.on('listOrders', async ({ db, query: { page = 0, size = 10, ...query }, session }) => {
    const { content, totalElements } = await listOrders(db, await listOf(db, query), { page, size });
    const orders = content.map((order) => presentOrder(order, session));
    return {
      message: messages.listOrders.success,
      data: { orders: presentPage(orders, totalElements, { page, size }) },
    };
  });
  api.serve('exportOrders', async ({ query: { form, ...query }, ...call }) => {
    const list = await listOf(call.db, query);
    const ids = await withLongTimeout(call.db, (tx) => listOrderIds(tx, list));
    const { timeZone, units } = await settings.get();
    if (form === 'lines') {
      const read = (some: string[]) => findLinesOfOrders(call.db, some);
      return sendExport(call, orderLinesFile, { timeZone, columns: orderLineColumns(units), ids, read });
    }
    const read = (some: string[]) => findExportedOrders(call.db, some);
    return sendExport(call, ordersList.file, { timeZone, columns: orderColumns, ids, read });
  });
  api.on('getOrderForStaff', async ({ db, params, session, now }) =>
    answer(messages.getOrderForStaff.success, await readOrderForStaff(db, params.orderId, session, now), session),
  );
  api.on(
    'setOrderTracking',
    async ({ tx, params, body, ...call }) => {
      const order = await setTracking(tx, params.orderId, body.shipmentTrackingUrl, call);
      return answer(messages.setOrderTracking.success, order, call.session);
    },
    { form: trackingForm },
  );
  api.on(
    'createParcel',
    async ({ tx, params, body, ...call }) => {
      await createParcel(tx, params.orderId, body, call);
      return answer(
        parcels.createParcel.success,
        await readOrderForStaff(tx, params.orderId, call.session, call.now),
        call.session,
      );
    },
    { form: newParcelForm },
  );
  api.on(
    'updateParcel',
    async ({ tx, params, body, ...call }) => {
      await updateParcel(tx, params.orderId, params.parcelId, body, call);
      return answer(
        parcels.updateParcel.success,
        await readOrderForStaff(tx, params.orderId, call.session, call.now),
        call.session,
      );
    },
    { form: parcelChangeForm },
  );
  api.on('deleteParcel', async ({ tx, params, ...call }) => {
    await deleteParcel(tx, params.orderId, params.parcelId, call);
    return answer(
      parcels.deleteParcel.success,
      await readOrderForStaff(tx, params.orderId, call.session, call.now),
      call.session,
    );
  });
  api.on(
    'addOrderNote',
    async ({ tx, params, body, ...call }) =>
      answer(messages.addOrderNote.success, await addNote(tx, params.orderId, body.text, call), call.session),
    { form: orderNoteForm },
  );
}

const answer = (message: string, { order, details }: StaffOrder, viewer: Session) => ({
  message,
  data: { orderResponse: presentOrder(order, viewer), details },
});
