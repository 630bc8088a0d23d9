import { asOne } from '../../shared/cart';
import type { ShopDatabase } from './db';
import { ApiError } from '../api/apiError';
import { type Entry, isEntry, type NewEntry, type Refusal } from './outboxEntry';

/** Where the outbox keeps its entries. Each call is done whole or not at all. */
export interface OutboxStorage {
  /** @returns the entry that holds the change: a new one, or the one before it where the two are one and unsent */
  add: (entry: NewEntry) => Promise<Entry>;
  /** @returns everybody's entries in their order */
  list: () => Promise<Entry[]>;
  /** From now on the entry stays as it is. @returns undefined when it is gone */
  markSent: (key: string) => Promise<Entry | undefined>;
  refuse: (key: string, reason: Refusal) => Promise<void>;
  /** A refused one waits again. */
  wait: (key: string) => Promise<void>;
  remove: (keys: string[]) => Promise<void>;
  removeOf: (userId: string) => Promise<void>;
  /** @returns whether the entry outlives the page */
  isLasting: (key: string) => boolean;
}

/**
 * @param open gives the database, or throws when this browser has none for us
 * @param mayKeep asked in the transaction that writes: nothing is kept of a user who signed out in another tab meanwhile
 */
export function keepInDatabase(open: () => Promise<ShopDatabase>, mayKeep: (userId: string) => boolean): OutboxStorage {
  const within = async <T>(work: (table: ShopDatabase['outbox']) => Promise<T>) => {
    const db = await open();
    return db.transaction('rw', db.outbox, () => work(db.outbox));
  };
  return {
    add: (entry) =>
      within(async (table) => {
        if (!mayKeep(entry.userId)) throw new ApiError(401, { code: 'session_ended' });
        const last = await table.where('userId').equals(entry.userId).last();
        const merged = last && mergedWith(last, entry);
        if (merged) {
          await table.put(merged);
          return merged;
        }
        const order = await table.add(entry);
        return { ...entry, order };
      }),
    list: () => within(async (table) => (await table.orderBy('order').toArray()).filter(isEntry)),
    markSent: (key) =>
      within(async (table) => {
        await table.where({ key }).modify({ wasSent: true });
        return table.get({ key });
      }),
    refuse: (key, reason) =>
      within(async (table) => void (await table.where({ key }).modify({ state: 'refused', reason }))),
    wait: (key) =>
      within(async (table) => {
        await table.where({ key }).modify((entry) => {
          entry.state = 'waiting';
          delete entry.reason;
        });
      }),
    remove: (keys) => within(async (table) => void (await table.where('key').anyOf(keys).delete())),
    removeOf: (userId) => within(async (table) => void (await table.where({ userId }).delete())),
    isLasting: () => true,
  };
}

/** For as long as the page is open, where the browser keeps nothing. */
export function keepInMemory(): OutboxStorage {
  let entries: Entry[] = [];
  let places = 0;
  const change = (key: string, to: (entry: Entry) => Entry) => {
    entries = entries.map((entry) => (entry.key === key ? to(entry) : entry));
  };
  return {
    async add(entry) {
      const last = entries.findLast(({ userId }) => userId === entry.userId);
      const merged = last && mergedWith(last, entry);
      places += 1;
      const added = merged ?? { ...entry, order: places };
      entries = [...entries.filter((each) => each !== last || !merged), added];
      return added;
    },
    list: async () => entries,
    async markSent(key) {
      change(key, (entry) => ({ ...entry, wasSent: true }));
      return entries.find((entry) => entry.key === key);
    },
    refuse: async (key, reason) => change(key, (entry) => ({ ...entry, state: 'refused', reason })),
    wait: async (key) =>
      change(key, (entry) => {
        const waiting: Entry = { ...entry, state: 'waiting' };
        delete waiting.reason;
        return waiting;
      }),
    async remove(keys) {
      entries = entries.filter(({ key }) => !keys.includes(key));
    },
    async removeOf(userId) {
      entries = entries.filter((entry) => entry.userId !== userId);
    },
    isLasting: () => false,
  };
}

/**
 * Keeps on the device what the device takes, and the rest, in its order, for as long as the page is open: a full disk or a
 * private window does not stop anybody from shopping online.
 * @param onFailure hears that the device did not keep one
 */
export function withFallback(device: OutboxStorage, page: OutboxStorage, onFailure: () => void): OutboxStorage {
  const inPage = new Set<string>();
  let last: Entry[] = [];
  const of = (key: string) => (inPage.has(key) ? page : device);
  return {
    async add(entry) {
      // after one that is only here the next would overtake it on the device
      if (inPage.size === 0) {
        try {
          return await device.add(entry);
        } catch (error) {
          if (error instanceof ApiError) throw error;
          onFailure();
        }
      }
      const added = await page.add(entry);
      inPage.add(added.key);
      return added;
    },
    async list() {
      last = await device.list().catch(() => last);
      return [...last, ...(await page.list())];
    },
    // on a full disk the mark does not fit; no other tab can add to the entry then, which is what it is for
    markSent: (key) =>
      of(key)
        .markSent(key)
        .catch((error: unknown) => {
          if (!isFull(error)) throw error;
          return last.find((entry) => entry.key === key);
        }),
    refuse: (key, reason) => of(key).refuse(key, reason),
    wait: (key) => of(key).wait(key),
    async remove(keys) {
      await Promise.all(keys.map((key) => of(key).remove([key])));
      for (const key of keys) inPage.delete(key);
    },
    async removeOf(userId) {
      await Promise.all([page.removeOf(userId), device.removeOf(userId).catch(() => undefined)]);
    },
    isLasting: (key) => !inPage.has(key),
  };
}

function isFull(error: unknown): boolean {
  const { name, inner } = error as { name?: string; inner?: { name?: string } };
  return name === 'QuotaExceededError' || inner?.name === 'QuotaExceededError';
}

function mergedWith(last: Entry, { operation, input }: NewEntry): Entry | undefined {
  if (last.wasSent || last.state !== 'waiting') return undefined;
  if (last.operation === 'createContactMessage' || operation === 'createContactMessage') return undefined;
  const merged = asOne(last, { operation, input } as Parameters<typeof asOne>[1]);
  return merged && { ...last, ...merged };
}
