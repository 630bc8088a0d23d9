import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedDemoCatalog } from '../../../src/server/db/seed/demoCatalog';
import { catalogCursor, categories, pictures, products } from '../../../src/server/db/schema/tables';
import { transact, type Tx } from '../../../src/server/db/core/transact';
import { countQueries, moveStock } from '../../support/catalog';
import { createRandom } from '../../chaos/random';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const changesSince = async (since: number) => {
  const { data } = await shop.call('getCatalogChanges', { query: { since } });
  return data.changes;
};
/** The feed's current position. */
const now = async () => (await shop.db.select().from(catalogCursor))[0]?.position ?? 0;
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const rename = (tx: Pick<Tx, 'update'>, id: string, name: string) =>
  tx.update(products).set({ name }).where(eq(products.id, id));

describe('the change feed', () => {
  test('from 0 brings the whole catalog, archived products too, and says that it starts over', async () => {
    const [sold, archived] = [await shop.stock(), await shop.stock({ archivedAt: new Date() })];
    const changes = await changesSince(0);
    expect(changes).toMatchObject({ more: false, startOver: true, next: await now(), removedCategoryIds: [] });
    expect(idsOf(changes.categories)).toEqual(expect.arrayContaining([sold.categoryId, archived.categoryId]));
    const read = await shop.call('getProduct', { path: { id: sold.id } });
    expect(changes.products).toContainEqual(read.data.product);
    expect(changes.products).toContainEqual(expect.objectContaining({ id: archived.id, archived: true }));
  });

  test('from its newest position brings nothing', async () => {
    const since = await now();
    expect(await changesSince(since)).toEqual({
      next: since,
      more: false,
      startOver: false,
      pages: [],
      categories: [],
      products: [],
      removedCategoryIds: [],
    });
  });

  test('brings each change once, in its current state', async () => {
    const [pepper, salt] = [await shop.stock({ quantity: 40 }), await shop.stock()];
    const since = await now();
    await rename(shop.db, pepper.id, 'White pepper');
    await rename(shop.db, pepper.id, 'Green pepper');
    await moveStock(shop.db, pepper.id, -5); // from plenty to plenty: no change in the feed
    const changes = await changesSince(since);
    expect(changes.products).toMatchObject([{ id: pepper.id, name: 'Green pepper', quantity: 35 }]);
    await shop.db.update(products).set({ archivedAt: shop.clock.now() }).where(eq(products.id, salt.id));
    const later = await changesSince(changes.next);
    expect(later.products).toMatchObject([{ id: salt.id, archived: true }]);
    expect((await changesSince(later.next)).products).toEqual([]);
  });

  test('brings a changed category without its products', async () => {
    const { categoryId } = await shop.stock();
    const since = await now();
    await shop.db.update(categories).set({ title: 'Pepper' }).where(eq(categories.id, categoryId));
    const changes = await changesSince(since);
    expect(changes).toMatchObject({ products: [], categories: [{ id: categoryId, title: 'Pepper' }] });
  });

  test('names a removed category, but not to a device that has nothing yet', async () => {
    const { id } = await shop.category();
    const since = await now();
    await shop.db.delete(categories).where(eq(categories.id, id));
    const changes = await changesSince(since);
    expect(changes).toMatchObject({ categories: [], removedCategoryIds: [id] });
    expect((await changesSince(changes.next)).removedCategoryIds).toEqual([]);
    expect((await changesSince(0)).removedCategoryIds).toEqual([]);
  });

  test('answers a position that it has not reached with everything, to replace what the device has', async () => {
    const changes = await changesSince((await now()) + 1);
    expect(changes).toEqual(await changesSince(0));
    expect(changes.startOver).toBe(true);
  });

  test.each(['-1', '1.5', 'abc', '1e3x', '9007199254740992'])('rejects %s as a position', async (since) => {
    expect(await shop.call('getCatalogChanges', { query: { since } })).toMatchObject({ status: 400 });
  });
});

describe('the order of the feed', () => {
  test('includes a transaction that is slow to commit, whatever its clock says', async () => {
    const [slow, quick] = [await shop.stock(), await shop.stock()];
    const since = await now();
    const device = new Map<string, string>();
    let cursor = since;
    const read = async () => {
      const changes = await changesSince(cursor);
      for (const { id, name } of changes.products) device.set(id, name);
      cursor = changes.next;
    };
    let goOn = () => {};
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => (isWritten = resolve));
    const slowly = transact(shop.db, async (tx) => {
      await rename(tx, slow.id, 'Written first');
      isWritten();
      await waits;
    });
    await written;
    await transact(shop.db, (tx) => rename(tx, quick.id, 'Committed first'));
    await read();
    expect([...device.values()]).toEqual(['Committed first']);
    shop.clock.advance(-3_600_000);
    goOn();
    await slowly;
    shop.clock.advance(3_600_000);
    await read();
    expect(Object.fromEntries(device)).toEqual({ [slow.id]: 'Written first', [quick.id]: 'Committed first' });
  });

  test('gives a device that reads while many write exactly what the shop has in the end', async () => {
    const { id: categoryId } = await shop.category();
    const made = await Promise.all(Array.from({ length: 12 }, () => shop.stock({ categoryId })));
    const ids = idsOf(made);
    let cursor = await now();
    const device = new Map<string, string>();
    const read = async () => {
      const changes = await changesSince(cursor);
      for (const { id, name } of changes.products) device.set(id, name);
      cursor = changes.next;
    };
    const writing = { goesOn: true };
    const reader = (async () => {
      // cached reads need no turn of the event loop here, and the writers need some
      while (writing.goesOn) await read().then(() => nextTurn());
    })();
    const writer = async (writer: number) => {
      for (let turn = 0; turn < 8; turn++) {
        await transact(shop.db, async (tx) => {
          for (const at of [writer, writer + 5].map((each) => each % 12).toSorted((one, other) => one - other))
            await rename(tx, ids[at] ?? '', `by ${writer}, turn ${turn}`);
          await new Promise((resolve) => setTimeout(resolve, (writer * 7 + turn * 3) % 9));
        });
      }
    };
    try {
      await Promise.all([0, 1, 2, 3, 4, 5].map(writer));
    } finally {
      writing.goesOn = false;
      await reader;
    }
    await untilHeard();
    await read();
    const rows = await shop.db.select().from(products).where(eq(products.categoryId, categoryId));
    const changed = rows.filter(({ name }) => name.startsWith('by '));
    expect(Object.fromEntries(device)).toEqual(Object.fromEntries(changed.map(({ id, name }) => [id, name])));
  });
});

/** Waits until all notifications of the database so far have arrived; they arrive in order. */
async function untilHeard(): Promise<void> {
  const mark = randomUUID();
  const heard = new Promise<void>((resolve) => {
    shop.bus.on('low_stock', (message) => {
      if (message === mark) resolve();
    });
  });
  await shop.db.execute(sql`select pg_notify('low_stock', ${mark})`);
  await heard;
}

describe('the bytes of the feed', () => {
  const ask = (since: number, headers: Record<string, string> = {}) =>
    shop.app.inject({ url: `/api/public/catalog/changes?since=${since}`, headers });

  test('are compressed once, and 304 for those who have them, without a query', async () => {
    await shop.stock({ description: 'A pepper of many words. '.repeat(60) }); // below 1 kB nothing is compressed
    await untilHeard();
    const since = (await now()) - 1;
    const first = await ask(since, { 'accept-encoding': 'gzip, br' });
    expect(first.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'no-cache',
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
    });
    const plain = await ask(since);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotliDecompressSync(first.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync((await ask(since, { 'accept-encoding': 'gzip' })).rawPayload).toString()).toBe(plain.body);
    const queries = await countQueries(shop.pool, async () => {
      const again = await ask(since, { 'accept-encoding': 'br', 'if-none-match': String(first.headers['etag']) });
      expect(again).toMatchObject({ statusCode: 304, body: '' });
      expect((await ask(since, { 'accept-encoding': 'br' })).rawPayload).toEqual(first.rawPayload);
    });
    expect(queries).toBe(0);
  });

  test('stay the same after a sale from plenty, and change when little is left', async () => {
    const { id } = await shop.stock({ quantity: 40 });
    await untilHeard();
    const tag = async () => (await ask(0)).headers['etag'];
    const before = await tag();
    await moveStock(shop.db, id, -5);
    expect(await tag()).toBe(before);
    await moveStock(shop.db, id, -30);
    await expect.poll(tag).not.toBe(before);
    const { products: all } = await changesSince(0);
    expect(all.find((product) => product.id === id)?.quantity).toBe(5);
  });

  test('hold 500 products in one response of less than 110 kB, the rest in the next', async () => {
    const other = await openOwnShop();
    try {
      await addRealisticProducts(other, 520);
      const url = '/api/public/catalog/changes';
      const answer = await other.app.inject({ url, headers: { 'accept-encoding': 'br' } });
      const body = JSON.parse(brotliDecompressSync(answer.rawPayload).toString()) as {
        data: { changes: Awaited<ReturnType<typeof changesSince>> };
      };
      const { changes } = body.data;
      expect(changes.products.length).toBe(500);
      expect(changes).toMatchObject({ more: true, startOver: true });
      expect(answer.rawPayload.length).toBeLessThan(110_000);
      const rest = await other.call('getCatalogChanges', { query: { since: changes.next } });
      expect(rest.data.changes).toMatchObject({ more: false, startOver: false, next: expect.any(Number) });
      const all = idsOf([...changes.products, ...rest.data.changes.products]);
      expect(new Set(all).size).toBe(520);
      const made = idsOf([...changes.categories, ...rest.data.changes.categories]);
      expect(made.length).toBe(2);
    } finally {
      await other.close();
    }
  });
});

/** Products with pictures, whose texts have the words and lengths of the demo catalog's, shuffled. */
async function addRealisticProducts({ db, clock }: TestShop, count: number): Promise<void> {
  await transact(db, (tx) => seedDemoCatalog(tx, { now: clock.now() }));
  const demo = await db.select().from(products);
  const { below, oneOf } = createRandom(7);
  const vocabulary = demo.flatMap(({ description }) => description.split(' '));
  const words = (text: string | null) => (text ?? '').split(' ').map(() => oneOf(vocabulary));
  const sentence = (text: string | null) => words(text).join(' ');
  const hash = () => Array.from({ length: 16 }, () => below(16).toString(16)).join('');
  const made = Array.from({ length: count - demo.length }, (): typeof products.$inferInsert => {
    const like = oneOf(demo);
    return {
      ...like,
      id: randomUUID(),
      name: sentence(like.name),
      description: sentence(like.description),
      otherNames: like.otherNames.map(sentence),
      pictureAlt: sentence(like.pictureAlt),
      priceCents: 100 + below(3000),
      quantity: below(90),
      pictureHash: hash(),
      createdAt: new Date(clock.now().getTime() - below(1e10)),
    };
  });
  const pictured = made.map(({ pictureHash, createdAt }) => ({
    hash: pictureHash ?? '',
    width: 1280,
    height: 960,
    widths: [160, 320, 640, 1280],
    placeholder: `#${hash().slice(0, 6)}`,
    createdAt,
  }));
  await transact(db, async (tx) => {
    await tx.insert(pictures).values(pictured);
    await tx.insert(products).values(made);
  });
}
