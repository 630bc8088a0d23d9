import { useQuery } from '@tanstack/react-query';
import { categoryTitle } from '../../../shared/catalog';
import type { QueryOf, Schema } from '../../../shared/contract';
import { discountStatusLabels } from '../../../shared/discounts';
import { discountStaffSays as says } from '../../../shared/discountsStaff';
import { type ReportPeriod, reportPeriodLabels } from '../../../shared/reports';
import { answer, api } from '../../server/client';
import type { KeyHeader } from '../../server/keys';
import { toast } from '../../ui/toast';
import type { Asked } from '../period/PeriodChip';
import { categoryChoicesQuery } from '../products/queries';
import { readCsv, staffListQuery, staffQuery, useStaffChange } from '../staffCalls';
import { asked, askedUncut, keyOf, listRules, passing, type SearchOf } from '../table/tableSearch';

export type Discount = Schema<'Discount'>;

const day = passing((text) => /^\d{4}-\d{2}-\d{2}$/.test(text));

export const discountRules = listRules({
  filters: { status: keyOf(discountStatusLabels), period: keyOf(reportPeriodLabels), from: day, to: day },
  sorts: ['code', 'uses', 'revenue'],
});
type Search = SearchOf<typeof discountRules>;

/** Whose revenue is shown: this year's, unless the address says otherwise. */
export function periodOf({ filters: { period = 'year', from, to } }: Search): Asked<ReportPeriod> {
  if (period !== 'custom') return { period };
  return from && to ? { period, from, to } : { period: 'year' };
}

const filtersOf = (search: Search): QueryOf<'exportDiscounts'> => ({
  ...(search.filters.status && { status: search.filters.status }),
  ...periodOf(search),
});

export const discountsQuery = (search: Search) =>
  staffListQuery(['discounts', search], async (signal) => {
    const query = { ...asked(search), ...filtersOf(search) };
    return (await answer(api.GET('/admin/discounts', { params: { query }, signal }))).discounts;
  });

export const exportDiscounts = (search: Search): Promise<string> =>
  readCsv(
    api.GET('/admin/discounts/export', {
      params: { query: { ...askedUncut(search), ...filtersOf(search) } },
      parseAs: 'text',
    }),
  );

export const discountQuery = (discountId: string) =>
  staffQuery(
    ['discount', discountId],
    async (signal) =>
      (await answer(api.GET('/admin/discounts/{discountId}', { params: { path: { discountId } }, signal }))).discount,
  );

export function useCreateDiscount() {
  return useStaffChange({
    send: (body: Schema<'DiscountForm'>, { header }) =>
      answer(api.POST('/admin/discounts', { params: { header }, body })),
    meta: says.createDiscount,
  });
}

const update = (discountId: string, body: Schema<'DiscountForm'>, { header }: KeyHeader) =>
  answer(api.PUT('/admin/discounts/{discountId}', { params: { path: { discountId }, header }, body }));

export function useUpdateDiscount(discountId: string) {
  return useStaffChange({
    send: (body: Schema<'DiscountForm'>, keyed) => update(discountId, body, keyed),
    meta: says.updateDiscount,
  });
}

interface Switching {
  discount: Discount;
  isActive: boolean;
}

/** All that a form would send of it. */
const formOf = ({ id: _id, createdAt: _at, status: _status, uses: _uses, revenue: _revenue, ...form }: Discount) =>
  form;

const turn = ({ discount, isActive }: Switching, keyed: KeyHeader) =>
  update(discount.id, { ...formOf(discount), isActive }, keyed);

/** Switches a code on or off, and offers to take it back. */
export function useSwitchDiscount() {
  const { mutate: undo } = useStaffChange({
    send: turn,
    onSuccess: (_, { discount: { code }, isActive }) =>
      toast.success(isActive ? says.switchedOn(code) : says.switchedOff(code)),
    meta: { failure: says.updateDiscount.failure },
  });
  return useStaffChange({
    send: turn,
    onSuccess: ({ discount }, { isActive }) =>
      toast.success(isActive ? says.switchedOn(discount.code) : says.switchedOff(discount.code), {
        label: 'Undo',
        onPress: () => undo({ discount, isActive: !isActive }),
      }),
    meta: { failure: says.updateDiscount.failure },
  });
}

/** @returns the titles of categories by their ids; undefined until they are known */
export function useCategoryTitles(): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery(categoryChoicesQuery());
  return data && new Map(data.map((category) => [category.id, categoryTitle(category)]));
}
