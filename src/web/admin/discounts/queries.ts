import { useQuery } from '@tanstack/react-query';
import { categoryTitle } from '../../../shared/catalog';
import type { Schema } from '../../../shared/contract';
import { discountsList } from '../../../shared/discountsList';
import { discountStaffMessages as messages } from '../../../shared/discountsStaff';
import type { ReportPeriod } from '../../../shared/reports';
import { answer, api } from '../../server/client';
import type { KeyHeader } from '../../server/keys';
import { keyOfPart } from '../keyOfPart';
import { toast } from '../../ui/toast';
import { changedFields } from '../changedFields';
import type { ChosenPeriod } from '../period/PeriodChip';
import { categoryChoicesQuery } from '../products/queries';
import { readCsv, staffListQuery, staffQuery, useStaffChange } from '../staffCalls';
import { pageQuery, exportQuery, type TableSearch } from '../table/tableSearch';

export type Discount = Schema<'Discount'>;

type Search = TableSearch<typeof discountsList>;

/** The period of the revenue: this year, unless the URL has another. */
export function periodOf({ filters: { period = 'year', from, to } }: Search): ChosenPeriod<ReportPeriod> {
  if (period !== 'custom') return { period };
  return from && to ? { period, from, to } : { period: 'year' };
}

/** Removes the period, which `periodOf` adds to the query instead. */
const withoutDays = ({
  filters: { period: _period, from: _from, to: _to, ...filters },
  ...search
}: Search): Search => ({
  ...search,
  filters,
});

export const discountsQuery = (search: Search) =>
  staffListQuery(['discounts', search], async (signal) => {
    const query = { ...pageQuery(discountsList, withoutDays(search)), ...periodOf(search) };
    return (await answer(api.GET('/admin/discounts', { params: { query }, signal }))).discounts;
  });

export function exportDiscounts(search: Search): Promise<string> {
  const query = { ...exportQuery(discountsList, withoutDays(search)), ...periodOf(search) };
  return readCsv(api.GET('/admin/discounts/export', { params: { query }, parseAs: 'text' }));
}

const readDiscount = async (discountId: string, signal?: AbortSignal): Promise<Discount> => {
  const params = { path: { discountId } };
  return (await answer(api.GET('/admin/discounts/{discountId}', { params, ...(signal && { signal }) }))).discount;
};

export const discountQuery = (discountId: string) =>
  staffQuery(['discount', discountId], (signal) => readDiscount(discountId, signal));

export function useCreateDiscount() {
  return useStaffChange({
    send: (body: Schema<'DiscountForm'>, { header }) =>
      answer(api.POST('/admin/discounts', { params: { header }, body })),
    meta: messages.createDiscount,
  });
}

/** All fields that the form sends. */
const formOf = ({ id: _id, createdAt: _at, status: _status, uses: _uses, revenue: _revenue, ...form }: Discount) =>
  form;

/**
 * Changes some fields of a code, on top of its current values. The body depends on what was just read, so a repeated
 * call keeps its idempotency key only with the same body.
 */
async function putFields(discountId: string, fields: Partial<Schema<'DiscountForm'>>, keyed: KeyHeader) {
  const body = { ...formOf(await readDiscount(discountId)), ...fields };
  const params = { path: { discountId }, ...keyOfPart(keyed, JSON.stringify(body)) };
  return answer(api.PUT('/admin/discounts/{discountId}', { params, body }));
}

/** @param before the form's initial values */
export function useUpdateDiscount(before: Discount) {
  return useStaffChange({
    send: (form: Schema<'DiscountForm'>, keyed) => putFields(before.id, changesOf(before, form), keyed),
    meta: messages.updateDiscount,
  });
}

/** Kind, percent and amount together are what the code gives, so a change of one sends all three. */
function changesOf(before: Discount, form: Schema<'DiscountForm'>): Partial<Schema<'DiscountForm'>> {
  const changes = changedFields<Schema<'DiscountForm'>>(formOf(before), form);
  const { kind, percent = null, amount = null } = form;
  const isGiftChanged = 'kind' in changes || 'percent' in changes || 'amount' in changes;
  return isGiftChanged ? { ...changes, kind, percent, amount } : changes;
}

interface Switching {
  id: string;
  isActive: boolean;
}

const setActive = ({ id, isActive }: Switching, keyed: KeyHeader) => putFields(id, { isActive }, keyed);

/** Turns a code on or off, with Undo. */
export function useSwitchDiscount() {
  const messageOf = ({ code, isActive }: Discount) =>
    isActive ? messages.switchedOn(code) : messages.switchedOff(code);
  const { mutate: undo } = useStaffChange({
    send: setActive,
    onSuccess: ({ discount }) => toast.success(messageOf(discount)),
    meta: { failure: messages.updateDiscount.failure },
  });
  return useStaffChange({
    send: setActive,
    onSuccess: ({ discount }, { id, isActive }) =>
      toast.success(messageOf(discount), { label: 'Undo', onPress: () => undo({ id, isActive: !isActive }) }),
    meta: { failure: messages.updateDiscount.failure },
  });
}

/** @returns category titles by id; undefined while loading */
export function useCategoryTitles(): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery(categoryChoicesQuery());
  return data && new Map(data.map((category) => [category.id, categoryTitle(category)]));
}
