import { afterEach, expect, test } from 'vitest';
import { kitchen, sweepKitchen } from '../../../src/web/device/lists';
import { session } from '../../../src/web/server/session';

afterEach(async () => {
  session.clear();
  await kitchen.lists.clear();
});

const ana = { id: 'ana', fullName: 'Example Cook', role: 'ROLE_CUSTOMER' as const };

test('leftovers of other users are deleted', async () => {
  await kitchen.ready();
  session.set(ana);
  await kitchen.lists.bulkPut([ana.id, 'ben'].map((userId) => ({ userId, lists: [] })));
  await sweepKitchen();
  expect(await kitchen.lists.toCollection().primaryKeys()).toEqual([ana.id]);
});

test("a user who logs in while others' rows are deleted keeps theirs", async () => {
  await kitchen.ready();
  await kitchen.lists.put({ userId: ana.id, lists: [] });
  const swept = sweepKitchen(); // of a tab that began before the login
  session.set(ana);
  await swept;
  expect(await kitchen.lists.get(ana.id)).toBeDefined();
});
