/** Each list of the back office uses every parameter that the contract accepts. */
import { expect, test } from 'vitest';
import { auditList } from '../../src/shared/auditList';
import { categoriesList } from '../../src/shared/categoriesList';
import type { OperationId } from '../../src/shared/contract';
import { discountsList } from '../../src/shared/discountsList';
import { holdsList } from '../../src/shared/holdsList';
import { mailsList } from '../../src/shared/mailsList';
import { messagesList } from '../../src/shared/messagesList';
import { ordersList } from '../../src/shared/ordersList';
import { productsList } from '../../src/shared/productsList';
import { type FileForm, sentFilters, sortableColumns, type StaffList } from '../../src/shared/staffList';
import { usersList } from '../../src/shared/usersList';
import { contractOperations } from '../support/contract';

const lists: [string, StaffList][] = [
  auditList,
  categoriesList,
  discountsList,
  holdsList,
  mailsList,
  messagesList,
  ordersList,
  productsList,
  usersList,
].map((list) => [list.label, list]);

/** A value for each filter whose values only the page knows, if its parameters differ from its name. */
const examples: Record<string, string> = { days: '2026-11-01_2026-11-20', lowStock: 'true', toShip: 'true' };

const queryOf = (call: OperationId) =>
  new Map(
    (contractOperations.get(call)?.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => [name, schema as { enum?: string[] } | undefined]),
  );

test.each(lists)('%s uses every parameter of its call, and so does its file', (_, list) => {
  const filters = Object.entries(list.filters).flatMap(([name, filter]) => {
    const value = 'values' in filter ? Object.keys(filter.values)[0] : examples[name];
    return Object.keys(sentFilters(list, { [name]: value ?? name }));
  });
  const sorts = sortsOf(list).length > 0 ? ['sort', 'direction'] : [];
  const asked = [...filters, ...sorts, ...(list.searchLabel ? ['q'] : [])];
  expect([...queryOf(list.call).keys()].toSorted()).toEqual([...asked, 'page', 'size'].toSorted());
  const { file } = list;
  const ofFile = file?.forms ? ['form', ...asked] : asked;
  if (file) expect([...queryOf(file.call).keys()].toSorted()).toEqual(ofFile.toSorted());
});

test.each(lists)('%s is sorted by what its call accepts', (_, list) => {
  const sort = queryOf(list.call).get('sort');
  expect((sort?.enum ?? []).toSorted()).toEqual(sortsOf(list).toSorted());
});

test.each(lists)('the filters of %s offer what its call accepts', (_, list) => {
  for (const [name, filter] of Object.entries(list.filters)) {
    const { enum: taken } = queryOf(list.call).get(name) ?? {};
    if (!('values' in filter) || filter.sends || !taken) continue;
    const offered = Object.keys(filter.values);
    expect(taken).toEqual(expect.arrayContaining(offered));
  }
});

test('the file of orders is offered in every form that its call accepts', () => {
  const { enum: taken } = queryOf('exportOrders').get('form') ?? {};
  const forms: FileForm[] = [...ordersList.file.forms];
  expect(forms.flatMap(({ form }) => form ?? [])).toEqual(taken);
});

const sortsOf = (list: StaffList) => [...sortableColumns(list), ...(list.otherSorts ?? [])];
