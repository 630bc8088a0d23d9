/** Pick list and packing slips of chosen orders. Rule: docs/rules/back-office.md, Packing */
import { useSearch } from '@tanstack/react-router';
import { maxPackedOrders } from '../../../shared/packing';
import { querySerializer } from '../../catalog/core/queries';
import { answer, api } from '../../server/client';
import { staffQuery } from '../staffCalls';

export const pickListQuery = (ids: string[]) =>
  staffQuery(['pickList', ids], (signal) =>
    answer(api.GET('/admin/orders/pick-list', { params: { query: { ids } }, querySerializer, signal })),
  );

export const packingSlipsQuery = (ids: string[]) =>
  staffQuery(['packingSlips', ids], (signal) =>
    answer(api.GET('/admin/orders/packing-slips', { params: { query: { ids } }, querySerializer, signal })),
  );

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @returns the ids in the URL, which a reload keeps */
export function useChosenOrders(): string[] {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const ids = [raw['ids'] ?? []].flat().map(String);
  return [...new Set(ids.filter((id) => uuid.test(id)))].slice(0, maxPackedOrders);
}
