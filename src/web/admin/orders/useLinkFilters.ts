import { useQuery } from '@tanstack/react-query';
import { categoryTitle } from '../../../shared/catalog';
import type { ordersList } from '../../../shared/ordersList';
import { reportMessages } from '../../../shared/reports';
import { findStateCode, stateName } from '../../../shared/usStates';
import { answer, api } from '../../server/client';
import { categoryChoicesQuery } from '../products/queries';
import { useCustomerFilter } from '../useCustomerFilter';
import { staffQuery } from '../staffCalls';
import type { Filter, TableSearch } from '../table/tableSearch';

type Filters = TableSearch<typeof ordersList>['filters'];
type Options = Filter['options'] | undefined;

/**
 * The filters that only a link from a report, a discount code or a customer sets: each has a chip while it is set, with
 * the name of its subject.
 */
export function useLinkFilters({ customer, discount, product, category, state, taxState }: Filters) {
  const code = useQuery({ ...codeQuery(discount ?? ''), enabled: discount !== undefined }).data;
  const productName = useQuery({ ...productNameQuery(product ?? ''), enabled: isOne(product) }).data;
  const { data: categories = [] } = useQuery({ ...categoryChoicesQuery(), enabled: isOne(category) });
  const found = categories.find(({ id }) => id === category);
  return {
    customer: useCustomerFilter(customer),
    discount: optionOf(discount, code),
    product: optionOf(product, withoutLine('product', product) ?? productName),
    category: optionOf(category, withoutLine('category', category) ?? (found && categoryTitle(found))),
    state: optionOf(state, state && findStateCode(state) && stateName(state)),
    taxState: optionOf(taxState, taxState),
  };
}

const isOne = (value: string | undefined) => value !== undefined && value !== 'delivery' && value !== 'none';

function withoutLine(of: 'product' | 'category', value: string | undefined): string | undefined {
  if (value === 'delivery') return reportMessages.delivery;
  return value === 'none' ? reportMessages.noLine[of] : undefined;
}

const optionOf = (value: string | undefined, words: string | undefined): Options =>
  value === undefined ? undefined : [{ value, label: words ?? 'this item only' }];

const codeQuery = (discountId: string) =>
  staffQuery(
    ['discount code', discountId],
    async (signal) =>
      (await answer(api.GET('/admin/discounts/{discountId}', { params: { path: { discountId } }, signal }))).discount
        .code,
  );

const productNameQuery = (id: string) =>
  staffQuery(
    ['product name', id],
    async (signal) =>
      (await answer(api.GET('/admin/products/{id}', { params: { path: { id } }, signal }))).product.name,
  );
