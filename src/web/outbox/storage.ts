import type { EntityTable } from 'dexie';
import { isOutOfSpace } from '../browser/storageQuota';
import type { ShopDatabase } from '../device/db';
import { ApiError } from '../server/errors';
import type { Entry, NewEntry } from './entry';
import type { AnyInput, Operations } from './operation';

/** Stores the outbox's entries. Each call is atomic. */
export interface OutboxStorage {
  /** @returns the entry with the change: a new one, or the previous one, when both were merged and are unsent */
  add: (entry: NewEntry) => Promise<Entry>;
  /** @returns all users' entries in order */
  list: () => Promise<Entry[]>;
  /**
   * Deletes answered entries and marks others as sent.
   * @returns all users' entries in order after that; without those to be marked that were discarded meanwhile
   */
  markSent: (keys: readonly string[], answered: readonly string[]) => Promise<Entry[]>;
  /** Does nothing when the entry is gone. */
  change: (key: string, change: Pick<Entry, 'state' | 'reason'>) => Promise<void>;
  remove: (keys: readonly string[]) => Promise<void>;
  removeOf: (userId: string) => Promise<void>;
  /** Removes an entry with exactly this input that was never sent. @returns whether it was removed */
  removeUnsent: (key: string, input: AnyInput) => Promise<boolean>;
  /** @returns whether the entry outlives the page */
  isPersistent: (key: string) => boolean;
}

/** @returns one entry that replaces two consecutive ones, or nothing where they must stay separate */
type Join = (last: Entry, next: NewEntry) => Entry | undefined;

export const joinBy =
  (operations: Operations): Join =>
  (last, { operation, input, wasSent }) => {
    if (last.wasSent || wasSent || last.state !== 'waiting' || last.operation !== operation) return undefined;
    const joined = operations[operation]?.asOne?.(last.input, input);
    return joined && { ...last, input: joined };
  };

/**
 * @param open returns the database, or throws when this browser has none for us
 * @param maySave checked in the writing transaction: nothing is stored for a user who logged out in another tab
 */
export function saveInDatabase(
  open: () => Promise<ShopDatabase>,
  maySave: (userId: string) => boolean,
  join: Join,
): OutboxStorage {
  const inTransaction = async <T>(work: (table: EntityTable<Entry, 'order'>) => Promise<T>) => {
    const db = await open();
    return db.transaction('rw', db.outbox, () => work(db.outbox as EntityTable<Entry, 'order'>));
  };
  /**
   * WebKit may disconnect the database from a background page, even mid-transaction: then it is reopened. The
   * interrupted transaction may have been committed, with its result lost.
   */
  const withRetry: typeof inTransaction = (work) =>
    inTransaction(work).catch((error: unknown) => {
      if (error instanceof ApiError || isOutOfSpace(error)) throw error;
      return inTransaction(work);
    });
  const addTo = async (table: EntityTable<Entry, 'order'>, entry: NewEntry) => {
    if (!maySave(entry.userId)) throw new ApiError(401, { code: 'session_ended' });
    const same = await table.get({ key: entry.key });
    if (same) return same; // already stored by a page that was left
    const last = await table.where('userId').equals(entry.userId).last();
    const joined = last && join(last, entry);
    if (joined) await table.put(joined);
    return joined ?? { ...entry, order: await table.add(entry) };
  };
  let pending: NewEntry[] = [];
  const addPending = async () => {
    await Promise.resolve(); // collects the changes made in this tick
    const entries = pending;
    pending = [];
    let rows: Entry[] = [];
    return withRetry(async (table) => {
      const last = rows.at(-1);
      if (last && isUnsent(await table.get({ key: last.key }), last.input)) return rows;
      rows = [];
      for (const entry of entries) rows.push(await addTo(table, entry));
      return rows;
    });
  };
  let adding: ReturnType<typeof addPending>;
  return {
    async add(entry) {
      const index = pending.push(entry) - 1;
      if (index === 0) adding = addPending();
      return (await adding)[index] as Entry;
    },
    list: () => withRetry(async (table) => (await table.orderBy('order').toArray()).filter(isEntry)),
    markSent: (keys, answered) =>
      withRetry(async (table) => {
        const all = await table.orderBy('order').toArray();
        await table.bulkDelete(all.filter((row) => answered.includes(row.key)).map(({ order }) => order));
        const rows = all.filter((row) => !answered.includes(row.key)).map((row) => marked(row, keys));
        await table.bulkPut(rows.filter((row) => keys.includes(row.key)));
        return rows.filter(isEntry);
      }),
    change: (key, change) => withRetry(async (table) => void (await table.where({ key }).modify(change))),
    remove: (keys) => withRetry(async (table) => void (await table.where('key').anyOf(keys).delete())),
    removeOf: (userId) => withRetry(async (table) => void (await table.where({ userId }).delete())),
    removeUnsent(key, input) {
      let wasThere = false;
      return withRetry(async (table) => {
        const entry = await table.get({ key });
        if (!isUnsent(entry, input)) return !entry && wasThere;
        await table.where({ key }).delete();
        return (wasThere = true);
      });
    },
    isPersistent: () => true,
  };
}

/** Marks an entry as sent; it is never modified after that. */
const marked = (entry: Entry, keys: readonly string[]): Entry =>
  keys.includes(entry.key) ? { ...entry, wasSent: true } : entry;

/** Another change may have been merged into the entry meanwhile: then its input differs. */
const isUnsent = (entry: Entry | undefined, input: AnyInput): boolean =>
  entry?.state === 'waiting' && !entry.wasSent && JSON.stringify(entry.input) === JSON.stringify(input);

/** @returns whether a stored row is a complete entry; other rows are ignored */
function isEntry(row: unknown): row is Entry {
  const { order, key, userId, operation, input, state } = (row ?? {}) as Partial<Entry>;
  const texts = [key, userId, operation];
  const isComplete = typeof order === 'number' && texts.every((text) => typeof text === 'string');
  return isComplete && typeof input === 'object' && (state === 'waiting' || state === 'refused');
}

/** In-memory entries for browsers without storage; lost when the page closes. */
export function storeInMemory(join: Join): OutboxStorage {
  let entries: Entry[] = [];
  let places = 0;
  return {
    async add(entry) {
      const last = entries.findLast(({ userId }) => userId === entry.userId);
      const joined = last && join(last, entry);
      const added = joined ?? { ...entry, order: (places += 1) };
      entries = [...entries.filter(({ key }) => key !== added.key), added];
      return added;
    },
    list: async () => entries,
    async markSent(keys, answered) {
      entries = entries.filter((entry) => !answered.includes(entry.key)).map((entry) => marked(entry, keys));
      return entries;
    },
    async change(key, change) {
      entries = entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
    },
    remove: async (keys) => void (entries = entries.filter(({ key }) => !keys.includes(key))),
    removeOf: async (userId) => void (entries = entries.filter((entry) => entry.userId !== userId)),
    async removeUnsent(key, input) {
      const found = entries.find((entry) => entry.key === key);
      if (!isUnsent(found, input)) return false;
      entries = entries.filter((entry) => entry !== found);
      return true;
    },
    isPersistent: () => false,
  };
}

/**
 * Stores entries on the device if possible, otherwise in memory while the page is open, keeping their order: shopping
 * online works with a full disk and in private windows too.
 * @param onFailure called when the device failed to store an entry
 */
export function withFallback(device: OutboxStorage, page: OutboxStorage, onFailure: () => void): OutboxStorage {
  const inPage = new Set<string>();
  let last: Entry[] = [];
  const storageOf = (key: string) => (inPage.has(key) ? page : device);
  return {
    async add(entry) {
      // after an entry in memory the next one must be in memory too, or it would be sent first
      if (inPage.size === 0) {
        try {
          const added = await device.add(entry);
          last = [...last.filter(({ key }) => key !== added.key), added]; // in case the next read fails
          return added;
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
    async markSent(keys, answered) {
      const isInPage = (key: string) => inPage.has(key);
      const isOnDevice = (key: string) => !inPage.has(key);
      const onDevice = [keys.filter(isOnDevice), answered.filter(isOnDevice)] as const;
      const pageEntries = await page.markSent(keys.filter(isInPage), answered.filter(isInPage));
      for (const key of answered) inPage.delete(key);
      if (onDevice.flat().length === 0) return [...last, ...pageEntries];
      try {
        last = await device.markSent(...onDevice);
      } catch (error) {
        // on a full disk the mark can't be written, but then no other tab can merge into the entry, which the mark
        // prevents
        if (!isOutOfSpace(error)) throw error;
        await device.remove(onDevice[1]);
        last = await device.list().catch(() => last);
      }
      return [...last, ...pageEntries];
    },
    change: (key, change) => storageOf(key).change(key, change),
    async remove(keys) {
      await Promise.all(keys.map((key) => storageOf(key).remove([key])));
      for (const key of keys) inPage.delete(key);
    },
    async removeOf(userId) {
      await Promise.all([page.removeOf(userId), device.removeOf(userId).catch(() => undefined)]);
    },
    async removeUnsent(key, input) {
      const isRemoved = await storageOf(key).removeUnsent(key, input);
      if (isRemoved) inPage.delete(key);
      return isRemoved;
    },
    isPersistent: (key) => !inPage.has(key),
  };
}
