/**
 * The provider's records, in memory and in the journal.
 *
 * Every change runs inside `transact`, synchronously, and becomes one line of the journal, so after a crash it is there
 * whole or not at all: a payment always has its charge, its events and the response stored for its idempotency key. When
 * the work throws, all its changes are undone.
 * Code that sends a response or event awaits `synced` first, so nothing acknowledged can be lost. A change that cannot be
 * written to disk is undone, and `synced` rejects.
 * A journal that consists mostly of outdated lines is compacted at the next start to the current records, including events.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournal, replaceJournal, type Journal } from './journal';
import { lockFolder } from './lock';
import type { Tables } from './records';

type Table = keyof Tables;
type Maps = { [T in Table]: Map<string, Tables[T]> };
type Change = { put: { [T in Table]: [T, Tables[T]] }[Table] } | { drop: [Table, string] } | { clockOffsetMs: number };

/** A journal is compacted when it has at least this many changes, and this many times as many as there are records. */
const compactThreshold = { changes: 400, perRecord: 2 };

export class Store {
  readonly #maps: Maps = {
    sessions: new Map(),
    paymentIntents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    coupons: new Map(),
    events: new Map(),
    deliveries: new Map(),
    keys: new Map(),
  };
  readonly #openSessions = new Set<string>();
  readonly #pendingDeliveries = new Set<string>();
  #clockOffsetMs = 0;
  #replayed = 0;
  #journal!: Journal;
  #unlock!: () => Promise<void>;
  #transaction: { changes: Change[]; undo: (() => void)[] } | undefined;

  /**
   * Opens or creates the folder's journal.
   * @throws Error in one sentence when another process uses the folder or the journal is damaged
   */
  static async open(folder: string): Promise<Store> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const store = new Store();
    store.#unlock = await lockFolder(folder);
    try {
      const path = join(folder, 'journal.jsonl');
      store.#journal = await openJournal(path, (line) => store.#replay(line));
      if (store.#isWorthRewriting()) {
        await store.#journal.close();
        await replaceJournal(path, store.#lines());
        store.#journal = await openJournal(path, () => undefined);
      }
    } catch (error) {
      await store.#unlock();
      throw error;
    }
    return store;
  }

  find<T extends Table>(table: T, id: string): Tables[T] | undefined {
    return this.#maps[table].get(id);
  }

  /** For ids that our own records reference. @throws Error when the record is missing */
  require<T extends Table>(table: T, id: string): Tables[T] {
    const record = this.#maps[table].get(id);
    if (!record) throw new Error(`${table} ${id} is not in the store`);
    return record;
  }

  /** All records of a table, oldest first. */
  all<T extends Table>(table: T): IterableIterator<Tables[T]> {
    return this.#maps[table].values();
  }

  openSessionIds = (): string[] => [...this.#openSessions];
  pendingDeliveryIds = (): string[] => [...this.#pendingDeliveries];
  clockOffsetMs = (): number => this.#clockOffsetMs;

  /** Runs `work` atomically. Inside another `transact` it becomes part of that one. */
  transact<R>(work: () => R): R {
    if (this.#transaction) return work();
    const transaction = { changes: [] as Change[], undo: [] as (() => void)[] };
    this.#transaction = transaction;
    const undo = () => {
      for (const step of transaction.undo.toReversed()) step();
    };
    try {
      const result = work();
      if (transaction.changes.length > 0) this.#journal.append(JSON.stringify(transaction.changes), undo);
      return result;
    } catch (error) {
      undo();
      throw error;
    } finally {
      this.#transaction = undefined;
    }
  }

  put<T extends Table>(table: T, record: Tables[T]): void {
    const before = this.#maps[table].get(record.id);
    this.#change({ put: [table, record] } as Change, () => this.#set(table, record.id, before));
    this.#set(table, record.id, record);
  }

  drop(table: Table, id: string): void {
    const before = this.#maps[table].get(id);
    if (!before) return;
    this.#change({ drop: [table, id] }, () => this.#set(table, id, before));
    this.#set(table, id, undefined);
  }

  setClockOffset(offsetMs: number): void {
    const before = this.#clockOffsetMs;
    this.#change({ clockOffsetMs: offsetMs }, () => (this.#clockOffsetMs = before));
    this.#clockOffsetMs = offsetMs;
  }

  /** Resolves when everything done so far is on disk; rejects when it was undone instead. */
  synced(): Promise<void> {
    return this.#journal.synced();
  }

  async close(): Promise<void> {
    try {
      await this.#journal.close();
    } finally {
      await this.#unlock();
    }
  }

  #change(change: Change, undo: () => void): void {
    if (!this.#transaction) throw new Error('a record was changed outside of a transaction');
    this.#transaction.changes.push(change);
    this.#transaction.undo.push(undo);
  }

  #replay(line: string): void {
    for (const change of JSON.parse(line) as Change[]) {
      this.#replayed += 1;
      if ('put' in change) this.#set(change.put[0], change.put[1].id, change.put[1]);
      else if ('drop' in change) this.#set(change.drop[0], change.drop[1], undefined);
      else this.#clockOffsetMs = change.clockOffsetMs;
    }
  }

  #isWorthRewriting(): boolean {
    const records = Object.values(this.#maps).reduce((sum, { size }) => sum + size, 0);
    return this.#replayed > compactThreshold.changes && this.#replayed > compactThreshold.perRecord * records;
  }

  /** A compacted journal: each current record once, each table in its order. */
  *#lines(): Generator<string> {
    yield JSON.stringify([{ clockOffsetMs: this.#clockOffsetMs }]);
    for (const [table, records] of Object.entries(this.#maps))
      for (const record of records.values()) yield JSON.stringify([{ put: [table, record] }]);
  }

  #set<T extends Table>(table: T, id: string, record: Tables[T] | undefined): void {
    if (record) this.#maps[table].set(id, record);
    else this.#maps[table].delete(id);
    if (table === 'sessions') mark(this.#openSessions, id, this.#maps.sessions.get(id)?.status === 'open');
    if (table === 'deliveries') mark(this.#pendingDeliveries, id, this.#maps.deliveries.get(id)?.state === 'pending');
  }
}

function mark(ids: Set<string>, id: string, isMember: boolean): void {
  if (isMember) ids.add(id);
  else ids.delete(id);
}
