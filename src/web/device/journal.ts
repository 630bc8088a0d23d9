import type { Schema } from '../../shared/contract';

/** Who is told of what the device hears of the shop before it is kept here, where what is new can still be compared. */
export interface Journal {
  /**
   * A part of the change feed.
   * @param before the products as the device has them; undefined for one that it does not know
   * @param since the place of the feed that the part follows
   */
  noteProducts: (
    before: readonly (Schema<'Product'> | undefined)[],
    after: readonly Schema<'Product'>[],
    since: number,
  ) => Promise<void>;
  noteOrders: (userId: string, before: readonly Schema<'Order'>[], after: readonly Schema<'Order'>[]) => Promise<void>;
  /** This tab has just heard all that is new of a part, and keeps it. */
  noteStep: (part: 'catalog' | 'orders') => void;
}
