import { Dexie, type DexieOptions, type EntityTable } from 'dexie';
import type { Schema } from '../../shared/contract';
import { offlineSays } from '../../shared/offline';
import { toast } from '../ui/toast';
import type { Entry } from './outboxEntry';

/** How far a part of what is saved here goes: `catalog`, or `orders:` and a user's id. */
export interface About {
  key: string;
  /** The place in the change feed. */
  cursor?: number;
  /** When the server said so, in ms by this device's clock: to be shown only. */
  savedAt?: number;
}

export type SavedOrder = Schema<'Order'> & { userId: string };

/**
 * All that the shop keeps in IndexedDB. Import it where it is needed (`await import('./db')`) and not at the top of what
 * the first page loads: Dexie is 31 kB.
 *
 * A newer version of the shop in another tab may need other tables. This tab then lets go of the database at once, so
 * that nobody waits, keeps no more here, and asks to be loaded again.
 */
export class ShopDatabase extends Dexie {
  declare products: EntityTable<Schema<'Product'>, 'id'>;
  declare categories: EntityTable<Schema<'Category'>, 'id'>;
  declare about: EntityTable<About, 'key'>;
  declare outbox: EntityTable<Entry, 'order'>;
  declare orders: EntityTable<SavedOrder, 'id'>;
  #isOutdated = false;
  #isLate = false;

  constructor(options?: DexieOptions) {
    super('shop', { chromeTransactionDurability: 'strict', ...options }); // an outbox outlives a power cut
    this.version(1).stores({
      products: 'id',
      categories: 'id',
      about: 'key',
      outbox: '++order, &key, userId',
      orders: 'id, userId',
    });
    this.on('versionchange', () => {
      this.#isOutdated = true;
      this.close({ disableAutoOpen: true });
      toast.info(offlineSays.reload);
      return false; // in place of Dexie's own answer, which would open the database again
    });
    this.on('blocked', () => toast.info(offlineSays.closeOthers));
  }

  /**
   * Opens the database where that was not done yet. It is waited for once: nobody waits again for one that did not open
   * in time, and when it opens after all it is used.
   * @throws Error when this browser keeps none for us, or another tab holds up its opening for 3 seconds
   */
  async ready(): Promise<this> {
    if (this.#isOutdated) throw new Error('a newer version of the shop has the database now');
    if (this.isOpen()) return this;
    this.#isLate ||= await Promise.race([this.open().then(() => false), tooLate()]);
    if (this.#isLate) throw new Error('the database did not open');
    return this;
  }
}

const opensWithinMs = 3000;

const tooLate = () => new Promise<boolean>((resolve) => setTimeout(resolve, opensWithinMs, true));

export const db = new ShopDatabase();
