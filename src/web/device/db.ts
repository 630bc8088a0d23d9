import type { DexieOptions, EntityTable } from 'dexie';
import type { Schema } from '../../shared/contract';
import { databaseName, databaseVersion } from '../../shared/deviceNames';
import { databaseStores } from '../../shared/deviceStores';
import type { ErrorCode } from '../server/errors';
import { DeviceDatabase } from './deviceDatabase';
import type { StoredProduct } from './storedProduct';

/** The state of one saved part: `catalog`, `pages`, or `orders:` plus a user ID. */
export interface About {
  key: string;
  /** The position in the change feed. */
  cursor?: number;
  /** The time of the response, in ms by this device's clock, for display only. */
  savedAt?: number;
  /** The owner's pages: few and small, so that they need no table, which would be another version of the database. */
  pages?: Schema<'ShopPage'>[];
}

/** An unsent change. Its operation defines `input`; the outbox (src/web/outbox) owns the rest. */
export interface OutboxRow {
  /** The position in the queue. */
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
 * The shop's IndexedDB database: catalog, outbox, orders. Import it dynamically (`await import('./db')`), never in code
 * of the first load: Dexie is 31 kB.
 */
export class ShopDatabase extends DeviceDatabase {
  declare products: EntityTable<StoredProduct, 'id'>;
  declare categories: EntityTable<Schema<'Category'>, 'id'>;
  declare about: EntityTable<About, 'key'>;
  declare outbox: EntityTable<OutboxRow, 'order'>;
  declare orders: EntityTable<SavedOrder, 'id'>;

  constructor(options?: DexieOptions) {
    super(databaseName, { chromeTransactionDurability: 'strict', ...options }); // survives a power cut
    this.version(databaseVersion).stores(databaseStores);
  }
}

export const db = new ShopDatabase();
