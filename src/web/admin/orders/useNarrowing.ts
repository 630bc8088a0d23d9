import { useQuery } from '@tanstack/react-query';
import { categoryTitle } from '../../../shared/catalog';
import { reportSays } from '../../../shared/reports';
import { usStates } from '../../../shared/usStates';
import { answer, api } from '../../server/client';
import { categoryChoicesQuery } from '../products/queries';
import { staffQuery } from '../staffCalls';
import type { Filter, TableSearch } from '../table/tableSearch';

type Filters = TableSearch['filters'];

/**
 * The filters that only a link sets, from a report or a discount code: each is offered while it is set, with the name of
 * what it is about.
 */
export function useNarrowing({ discount, product, category, state }: Filters): Filter[] {
  const code = useQuery({ ...codeQuery(discount ?? ''), enabled: discount !== undefined }).data;
  const productName = useQuery({ ...productNameQuery(product ?? ''), enabled: isOne(product) }).data;
  const { data: categories = [] } = useQuery({ ...categoryChoicesQuery(), enabled: isOne(category) });
  const found = categories.find(({ id }) => id === category);
  return [
    ...filterOf('discount', 'Code', discount, code),
    ...filterOf('product', 'Product', product, ofNoLine('product', product) ?? productName),
    ...filterOf('category', 'Category', category, ofNoLine('category', category) ?? (found && categoryTitle(found))),
    ...filterOf('state', 'State', state, usStates.find(({ code: letters }) => letters === state)?.name),
  ];
}

const isOne = (value: string | undefined) => value !== undefined && value !== 'delivery' && value !== 'none';

function ofNoLine(of: 'product' | 'category', value: string | undefined): string | undefined {
  if (value === 'delivery') return reportSays.delivery;
  return value === 'none' ? reportSays.noLine[of] : undefined;
}

const filterOf = (name: string, label: string, value: string | undefined, words: string | undefined): Filter[] =>
  value === undefined ? [] : [{ name, label, options: [{ value, label: words ?? 'this one' }] }];

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
