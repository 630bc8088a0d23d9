/** Publishes a transaction's changes to cached or displayed data after its commit. */
import type { OwnChange } from '../../../shared/live';
import { notifyAfterCommit, type Tx } from './transact';

/**
 * 'facts' (anything may have changed), the id of a product whose quantity changed, or a list whose cards changed. The same
 * as in 0000_baseline.sql and 0017_card_changes.sql.
 */
export type CatalogChange = string;
export const factsChange: CatalogChange = 'facts';
const cardsPrefix = 'cards of ';
/** @param list a category's id, or `allProducts` */
export const cardsChange = (list: string): CatalogChange => cardsPrefix + list;
export const isCardsChange = (change: CatalogChange): boolean => change.startsWith(cardsPrefix);

/** `paid` is a change of `orders` that staff see separately. */
export type LiveChange = OwnChange | 'paid';

/** Call it with every change of quantity, inside its transaction. */
export const quantitiesChanged = (tx: Tx, productIds: readonly string[]): void =>
  productIds.forEach((productId) => notifyAfterCommit(tx, 'catalog', productId));

/** Call it when a size sold out or came back, inside that transaction: another size may be shown in these lists. */
export const cardsChanged = (tx: Tx, lists: Iterable<string>): void => {
  for (const list of lists) notifyAfterCommit(tx, 'catalog', cardsChange(list));
};

/** Call it when a category or a product's facts were written, inside that transaction. */
export const factsChanged = (tx: Tx): void => notifyAfterCommit(tx, 'catalog', factsChange);

/** Call it with every change of a user's cart, orders or lists, inside its transaction. */
export const liveChanged = (tx: Tx, userId: string, what: LiveChange): void =>
  notifyAfterCommit(tx, 'own', `${what}:${userId}`);

/** Call it when an order was paid, inside its transaction: staff are notified of the order's id. */
export const orderPaid = (tx: Tx, userId: string, orderId: string): void =>
  notifyAfterCommit(tx, 'own', `paid:${userId}:${orderId}`);
