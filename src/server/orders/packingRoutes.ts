import { packingMessages as messages } from '../../shared/packing';
import type { ContractApi } from '../http/contract/contract';
import { readChosenOrders, readPickList } from './packing';
import { presentOrder } from './present';

export function packingRoutes(api: ContractApi): void {
  api.on('getPickList', async ({ db, query }) => ({
    message: messages.getPickList.success,
    data: await readPickList(db, query.ids),
  }));
  api.on('getPackingSlips', async ({ db, query, session }) => {
    const { toShip, nothingLeft } = await readChosenOrders(db, query.ids);
    const orders = toShip.map((order) => presentOrder(order, session));
    return { message: messages.getPackingSlips.success, data: { orders, nothingLeft } };
  });
}
