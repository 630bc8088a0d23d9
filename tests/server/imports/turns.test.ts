/** A large file leaves the shop's other requests their turn. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { prepareRows } from '../../../src/server/imports/prepare';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => void (shop = await openShop()));
afterAll(() => shop.close());

test('other requests are served after every 20 rows of a file', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const rowsOfTurn = new Map<number, number>();
  /** Each row asks once whether its id was seen. */
  class Seen extends Set<string> {
    override has(key: string) {
      if (key === '') rowsOfTurn.set(turns, (rowsOfTurn.get(turns) ?? 0) + 1);
      return super.has(key);
    }
  }
  const rows = Array.from({ length: 100 }, (_, line) => ({
    line,
    cells: new Map([
      ['name', `Turn ${line}`],
      ['price', '4.50'],
    ]),
    places: {},
    key: null,
    photos: [],
    notes: [],
  }));
  await transact(shop.db, (tx) => prepareRows(tx, 'shop', rows, { isLocked: false, seen: new Seen() }));
  isOver = true;
  const counts = [...rowsOfTurn.values()];
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(100);
  expect(Math.max(...counts)).toBeLessThanOrEqual(20);
});
