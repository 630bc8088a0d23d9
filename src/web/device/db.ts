import { Dexie, type DexieOptions, type EntityTable } from 'dexie';
import type { Schema } from '../../shared/contract';
import { databaseName, databaseStores, databaseVersion } from '../../shared/deviceNames';
import { outboxSays } from '../../shared/outbox';
import { givenUpWithPage, whenShown } from '../browser/shownPage';
import { toast } from '../ui/toast';
import type { ErrorCode } from '../server/errors';

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
 * All that the shop keeps in IndexedDB. Import it where it is needed (`await import('./db')`) and not at the top of what
 * the first page loads: Dexie is 31 kB.
 *
 * A newer version of the shop in another tab may need other tables. This tab then closes the database at once, so that
 * the other tab need not wait, stores nothing more, and asks to be reloaded.
 */
export class ShopDatabase extends Dexie {
  declare products: EntityTable<Schema<'Product'>, 'id'>;
  declare categories: EntityTable<Schema<'Category'>, 'id'>;
  declare about: EntityTable<About, 'key'>;
  declare outbox: EntityTable<OutboxRow, 'order'>;
  declare orders: EntityTable<SavedOrder, 'id'>;
  #isOutdated = false;
  #isLate = false;

  constructor(options?: DexieOptions) {
    super(databaseName, { chromeTransactionDurability: 'strict', ...options }); // the outbox survives a power cut
    this.version(databaseVersion).stores(databaseStores);
    this.use(givenUpWithPage);
    this.on('versionchange', () => {
      this.#isOutdated = true;
      this.close({ disableAutoOpen: true });
      toast.info(outboxSays.reload);
      return false; // prevents Dexie's default, which would open the database again
    });
    this.on('blocked', () => toast.info(outboxSays.closeOthers));
  }

  /**
   * Opens the database once, and waits while the page is put away. Only the first callers wait: later ones fail at once while it has not opened in time, and
   * use it if it opens after all.
   * @throws Error when this browser keeps none for us, or another tab holds up its opening for 3 seconds
   */
  async ready(): Promise<this> {
    await whenShown();
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
