// @vitest-environment node
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { db } from '../../../src/web/device/db';
import type { NewEntry } from '../../../src/web/outbox/entry';
import {
  joinBy,
  saveInDatabase,
  storeInMemory,
  type OutboxStorage,
  withFallback,
} from '../../../src/web/outbox/storage';

const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
const entry = (key: string): NewEntry => ({
  key,
  userId: 'ana',
  operation: 'count',
  input: { userId: 'ana' },
  state: 'waiting',
  wasSent: false,
  madeAt: 0,
});
const stay = () => undefined;
let device: OutboxStorage;
let storage: OutboxStorage;
const warn = vi.fn();
beforeEach(() => {
  warn.mockReset();
  device = storeInMemory(stay);
  storage = withFallback(device, storeInMemory(stay), warn);
});

const marks = (entries: readonly { key: string; wasSent: boolean }[]) =>
  entries.map(({ key, wasSent }) => [key, wasSent]);

test('changes are marked together, and answered ones are deleted in the same write', async () => {
  for (const key of ['one', 'two', 'three']) await storage.add(entry(key));
  const kept = [
    ['two', true],
    ['three', true],
  ];
  expect(marks(await storage.markSent(['two', 'three'], ['one']))).toEqual(kept);
  expect(marks(await device.list())).toEqual(kept);
});

test('of a batch that is in both stores, each change is marked where it is', async () => {
  for (const key of ['one', 'two']) await storage.add(entry(key));
  const { add } = device;
  device.add = full;
  for (const key of ['three', 'four']) await storage.add(entry(key));
  device.add = add;
  const all = await storage.markSent(['two', 'three'], ['one']);
  expect(marks(all)).toEqual([
    ['two', true],
    ['three', true],
    ['four', false],
  ]);
  expect(marks(await device.list())).toEqual([['two', true]]);
  expect(marks(await storage.markSent(['four'], ['two', 'three']))).toEqual([['four', true]]);
  expect(await device.list()).toEqual([]);
});

test('where the mark no longer fits on the disk, the answered change is deleted, and the next is sent all the same', async () => {
  for (const key of ['one', 'two']) await storage.add(entry(key));
  device.markSent = full;
  expect(marks(await storage.markSent(['two'], ['one']))).toEqual([['two', false]]);
  expect(marks(await device.list())).toEqual([['two', false]]);
});

test('other device failures prevent the change from being sent', async () => {
  await storage.add(entry('one'));
  device.markSent = () => Promise.reject(new Error('the disk is gone'));
  await expect(storage.markSent(['one'], [])).rejects.toThrow('the disk is gone');
});

test('once the disk is full, changes are held in the page in their order, and marked there', async () => {
  await storage.add(entry('one'));
  device.add = full;
  for (const key of ['two', 'three']) await storage.add(entry(key));
  expect(warn).toHaveBeenCalledTimes(1);
  expect(storage.isPersistent('two')).toBe(false);
  const all = await storage.markSent(['two', 'three'], ['one']);
  expect(marks(all)).toEqual([
    ['two', true],
    ['three', true],
  ]);
  expect(await device.list()).toEqual([]);
});

test('a stored change is not reported as done when the device cannot be read afterwards', async () => {
  await storage.add(entry('one'));
  device.list = () => Promise.reject(new Error('cut off'));
  expect(marks(await storage.list())).toEqual([['one', false]]);
});

describe('in the database of the device', () => {
  type Sum = { userId: string; units: number };
  const asOne = (earlier: Sum, later: Sum) => ({ ...earlier, units: earlier.units + later.units });
  const plus = (key: string, units: number, operation = 'count') => ({
    ...entry(key),
    operation,
    input: { userId: 'ana', units },
  });
  let isCutOff = false;
  let transactions = 0;
  const open = async () => {
    const ready = await db.ready();
    const cutOff = async (...asked: Parameters<typeof db.transaction>) => {
      transactions += 1;
      const done = await ready.transaction(...asked);
      if (!isCutOff) return done;
      isCutOff = false;
      throw new DOMException('the connection was lost', 'UnknownError');
    };
    return Object.create(ready, { transaction: { value: cutOff } }) as typeof db;
  };
  const kept = saveInDatabase(open, () => true, joinBy({ count: { asOne } as never }));
  beforeEach(async () => {
    await db.outbox.clear();
    transactions = 0;
  });

  test('changes made together are stored in one step: a dying tab leaves all of them or none', async () => {
    const made = Array.from({ length: 200 }, (_, place) => plus(`key ${place}`, 1, `list ${place}`));
    const added = await Promise.all(made.map(kept.add));
    expect(added.map(({ key }) => key)).toEqual(made.map(({ key }) => key));
    expect(await kept.list()).toMatchObject(made);
    expect(transactions).toBe(2);
  });

  test('none of the changes made together is stored when one is not, and each is notified', async () => {
    const refuse = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    await kept.add(plus('zero', 1));
    const full = saveInDatabase(refuse, () => true, stay);
    const results = await Promise.allSettled([full.add(plus('one', 1)), full.add(plus('two', 1))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await kept.list()).toMatchObject([{ key: 'zero' }]);
  });

  test('a change that was made but whose response was lost is not repeated: alone, merged, or among others', async () => {
    isCutOff = true;
    expect(await kept.add(plus('one', 1))).toMatchObject({ key: 'one' });
    isCutOff = true;
    expect(await kept.add(plus('two', 2))).toMatchObject({ key: 'one' });
    isCutOff = true;
    const all = await Promise.all([kept.add(plus('three', 4)), kept.add(plus('other', 1, 'other'))]);
    expect(all).toMatchObject([{ key: 'one' }, { key: 'other' }]);
    expect(await kept.list()).toMatchObject([
      { key: 'one', input: { units: 7 } },
      { key: 'other', input: { units: 1 } },
    ]);
  });

  test('a withdrawn change whose response was lost is reported as withdrawn; a missing one is not', async () => {
    const { input } = await kept.add(plus('one', 1));
    isCutOff = true;
    expect(await kept.removeUnsent('one', input)).toBe(true);
    isCutOff = true;
    expect(await kept.removeUnsent('one', input)).toBe(false);
  });
});
