import type { Schema } from '../../shared/contract';

/** Is notified of changes in the shop before they are saved here, when old and new can still be compared. */
export interface Journal {
  /**
   * One part of the change feed.
   * @param before the products as saved on the device; undefined for unknown ones
   * @param since the feed position before this part
   */
  noteProducts: (
    before: readonly (Schema<'Product'> | undefined)[],
    after: readonly Schema<'Product'>[],
    since: number,
  ) => Promise<void>;
  noteOrders: (userId: string, before: readonly Schema<'Order'>[], after: readonly Schema<'Order'>[]) => Promise<void>;
  /** This tab has just received and saved all changes of a part. */
  noteStep: (part: 'catalog' | 'orders') => void;
}
