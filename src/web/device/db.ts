import type { DexieOptions, EntityTable } from 'dexie';
import type { Schema } from '../../shared/contract';
import { databaseName, databaseStores, databaseVersion } from '../../shared/deviceNames';
import type { ErrorCode } from '../server/errors';
import { DeviceDatabase } from './deviceDatabase';

/** The state of one saved part: `catalog`, or `orders:` and a user's id. */
export interface About {
  key: string;
  /** The place in the change feed. */
  cursor?: number;
  /** The time of the answer, in ms by this device's clock, for display only. */
  savedAt?: number;
}

/** A change on its way. What stands in `input` its operation knows; the rest is the outbox's (src/web/outbox). */
export interface OutboxRow {
  /** The place in the queue. */
  order: number;
  key: string;
  userId: string;
  operation: string;
  input: object;
  state: 'waiting' | 'refused';
  reason?: { code: ErrorCode; message: string } | undefined;
  wasSent: boolean;
  madeAt: number;
}

export type SavedOrder = Schema<'Order'> & { userId: string };

/**
 * What the shop keeps in IndexedDB: the catalog, the outbox, orders. Import it where it is needed (`await import('./db')`)
 * and not at the top of what the first page loads: Dexie is 31 kB.
 */
export class ShopDatabase extends DeviceDatabase {
  declare products: EntityTable<Schema<'Product'>, 'id'>;
  declare categories: EntityTable<Schema<'Category'>, 'id'>;
  declare about: EntityTable<About, 'key'>;
  declare outbox: EntityTable<OutboxRow, 'order'>;
  declare orders: EntityTable<SavedOrder, 'id'>;

  constructor(options?: DexieOptions) {
    super(databaseName, { chromeTransactionDurability: 'strict', ...options }); // the outbox survives a power cut
    this.version(databaseVersion).stores(databaseStores);
  }
}

export const db = new ShopDatabase();
