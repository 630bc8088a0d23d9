import { Dexie, type DexieOptions } from 'dexie';
import { outboxMessages } from '../../shared/outbox';
import { abortedWithPage, whenShown } from '../browser/shownPage';
import { toast } from '../ui/toast';

/**
 * An IndexedDB database of the shop. A newer version in another tab may need other tables. Then this tab closes the
 * database immediately so that the other tab needn't wait, stores nothing more, and asks to be reloaded.
 */
export class DeviceDatabase extends Dexie {
  #isOutdated = false;
  #isLate = false;

  constructor(name: string, options?: DexieOptions) {
    super(name, options);
    this.use(abortedWithPage);
    this.on('versionchange', () => {
      this.#isOutdated = true;
      this.close({ disableAutoOpen: true });
      toast.info(outboxMessages.reload);
      return false; // prevents Dexie's default, which would reopen the database
    });
    this.on('blocked', () => toast.info(outboxMessages.closeOthers));
  }

  /**
   * Opens the database once, and waits while the page is in the back/forward cache. Only the first callers wait: after
   * a timeout later calls fail immediately, until the database opens after all.
   * @throws Error when this browser has no database for us, or another tab blocks its opening for 3 seconds
   */
  async ready(): Promise<this> {
    await whenShown();
    if (this.#isOutdated) throw new Error('a newer version of the shop is using the database');
    if (this.isOpen()) return this;
    this.#isLate ||= await Promise.race([this.open().then(() => false), tooLate()]);
    if (this.#isLate) throw new Error("the database didn't open");
    return this;
  }
}

const openTimeoutMs = 3000;

const tooLate = () => new Promise<boolean>((resolve) => setTimeout(resolve, openTimeoutMs, true));
