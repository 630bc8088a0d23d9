// @vitest-environment node
import { expect, test } from 'vitest';
import type { ListChange, ListItemFields } from '../../../src/shared/lists';
import { operations } from '../../../src/web/app/operations';
import { joinBy } from '../../../src/web/outbox/storage';
import { ApiError } from '../../../src/web/server/errors';

const userId = '6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10';
const [dry, cold] = ['3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74', '7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94'];
const at = '2026-03-14T09:26:53.589Z';

const set = (fields: ListItemFields, productId = 'pepper', listId = dry): ListChange => ({
  operation: 'setListItem',
  input: { userId, listId, productId, fields },
});
const rename = (name: string, listId = dry): ListChange => ({
  operation: 'renameList',
  input: { userId, listId, name },
});
const order = (productIds: string[], listId = dry): ListChange => ({
  operation: 'orderList',
  input: { userId, listId, productIds },
});
const remove = (listId = dry): ListChange => ({ operation: 'deleteList', input: { userId, listId } });

test.each<[string, ListChange, ListChange, ListChange | undefined]>([
  ['a count and its correction', set({ onHand: 1, countedAt: at }), set({ onHand: 2 }), set({ onHand: 2 })],
  ['a count and a par', set({ onHand: 1, countedAt: at }), set({ par: 2 }), set({ countedAt: at, onHand: 1, par: 2 })],
  ['an addition and its par', set({ add: true }), set({ par: 2 }), set({ add: true, par: 2 })],
  ['a par and an addition', set({ par: 2 }), set({ add: true }), undefined],
  ['two products', set({ par: 2 }), set({ par: 2 }, 'salt'), undefined],
  ['two lists', set({ par: 2 }), set({ par: 2 }, 'pepper', cold), undefined],
  ['two names of one list, of which the last counts', rename('A'), rename('B'), rename('B')],
  ['names of two lists', rename('A'), rename('B', cold), undefined],
  [
    'two orders, of which the last counts first',
    order(['salt', 'mace']),
    order(['mace', 'bay']),
    order(['mace', 'bay', 'salt']),
  ],
  ['orders of two lists', order(['salt']), order(['salt'], cold), undefined],
  ['deleting twice', remove(), remove(), undefined],
])('%s: as one change or as two', (_, earlier, later, one) => {
  const made = { key: 'made', userId, state: 'waiting' as const, wasSent: false, madeAt: 0 };
  const last = { ...made, ...earlier, order: 1 };
  expect(joinBy(operations)(last, { ...made, ...later })).toEqual(one && { ...last, ...one });
});

test('a missing list or item was deleted, and a count of it is not applied', () => {
  for (const code of ['list_not_found', 'list_item_not_found'] as const) {
    const rejection = new ApiError(404, { code });
    expect(operations.deleteList.isDone?.(rejection)).toBe(true);
    expect(operations.removeListItem.isDone?.(rejection)).toBe(true);
    expect(operations.orderList.isDone?.(rejection)).toBe(true);
    expect(operations.setListItem.isDone?.(rejection)).toBeUndefined();
    expect(operations.renameList.isDone?.(rejection)).toBeUndefined();
  }
});
