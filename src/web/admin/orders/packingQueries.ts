/** Pick list and packing slips of chosen orders. Rule: docs/rules/back-office.md, Packing */
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { adminMessages } from '../../../shared/admin';
import { labelList, maxPackedOrders } from '../../../shared/packing';
import { querySerializer } from '../../catalog/core/queries';
import { answer, api } from '../../server/client';
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

/** Saves the addresses and weights of orders as a file for a label service. */
export const useExportLabels = () =>
  useMutation({
    mutationFn: (ids: string[]) =>
      readCsv(api.GET('/admin/orders/labels', { params: { query: { ids } }, querySerializer, parseAs: 'text' })),
    onSuccess: (csv) => saveCsv(csv, `${labelList.file.name}.csv`),
    meta: { failure: adminMessages.noExport },
  });

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @returns the ids in the URL, which a reload keeps */
export function useChosenOrders(): string[] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const ids = [raw['ids'] ?? []].flat().map(String);
  return [...new Set(ids.filter((id) => uuid.test(id)))].slice(0, maxPackedOrders);
}
