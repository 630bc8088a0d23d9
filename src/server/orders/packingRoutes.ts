import { labelList, packingMessages as messages } from '../../shared/packing';
import { sendExport } from '../audit/exports';
import type { ContractApi } from '../http/contract/contract';
import { labelColumns, readLabels } from './labels';
import { readPackingSlips, readPickList } from './packing';

type Parts = { settings: { get: () => Promise<{ timeZone: string }> } };

export function packingRoutes(api: ContractApi, { settings }: Parts): void {
  api.on('getPickList', async ({ db, query }) => ({
    message: messages.getPickList.success,
    data: await readPickList(db, query.ids),
  }));
  api.on('getPackingSlips', async ({ db, query, session }) => ({
    message: messages.getPackingSlips.success,
    data: await readPackingSlips(db, query.ids, session),
  }));
  api.serve('exportLabels', async ({ query, ...call }) => {
    const labels = await readLabels(call.db, query.ids);
    const ids = labels.map(({ id }) => id);
    const { timeZone } = await settings.get();
    return sendExport(call, labelList.file, { timeZone, columns: labelColumns, ids, read: async () => labels });
  });
}
