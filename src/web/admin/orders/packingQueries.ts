/** Pick list and packing slips of chosen orders. Rule: docs/rules/back-office.md, Packing */
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { adminMessages } from '../../../shared/admin';
import { labelList, maxPackedOrders, packingMessages } from '../../../shared/packing';
import { querySerializer } from '../../catalog/core/queries';
import { answer, api } from '../../server/client';
import { toast } from '../../ui/toast';
import { readCsv, staffQuery } from '../staffCalls';
import { saveCsv } from '../table/saveCsv';

export const pickListQuery = (ids: string[]) =>
  staffQuery(['pickList', ids], (signal) =>
    answer(api.GET('/admin/orders/pick-list', { params: { query: { ids } }, querySerializer, signal })),
  );

export const packingSlipsQuery = (ids: string[]) =>
  staffQuery(['packingSlips', ids], (signal) =>
    answer(api.GET('/admin/orders/packing-slips', { params: { query: { ids } }, querySerializer, signal })),
  );

/**
 * Saves the addresses and weights of orders as a file for a label service. It has no rows of orders with nothing left to
 * ship, so these are named. If all are, there is no file.
 */
export const useExportLabels = () =>
  useMutation({
    mutationFn: async (ids: string[]) => {
      const params = { params: { query: { ids } }, querySerializer };
      const { nothingLeft } = await answer(api.GET('/admin/orders/pick-list', params));
      if (nothingLeft.length === ids.length) return { nothingLeft };
      return { nothingLeft, csv: await readCsv(api.GET('/admin/orders/labels', { ...params, parseAs: 'text' })) };
    },
    onSuccess: ({ nothingLeft, csv }) => {
      if (csv === undefined) return toast.warning(packingMessages.noLabels);
      saveCsv(csv, `${labelList.file.name}.csv`);
      return nothingLeft.length > 0 && toast.warning(packingMessages.leftOut(nothingLeft));
    },
    meta: { failure: adminMessages.noExport },
  });

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @returns the ids in the URL, which a reload keeps */
export function useChosenOrders(): string[] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const ids = [raw['ids'] ?? []].flat().map(String);
  return [...new Set(ids.filter((id) => uuid.test(id)))].slice(0, maxPackedOrders);
}
