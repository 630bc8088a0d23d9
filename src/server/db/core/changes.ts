/** What a transaction changed that is kept somewhere, or shown to somebody right now: told when it has been committed. */
import type { OwnChange } from '../../../shared/live';
import { notifyAfterCommit, type Tx } from './transact';

/** 'facts': anything may be different, or a product's id: only its quantity is. The database says the same (0000_baseline.sql). */
export type CatalogChange = string;
export const factsChange: CatalogChange = 'facts';

/** `paid` is a change of `orders` that staff are told apart from others. */
export type LiveChange = OwnChange | 'paid';

/** Call it with every change of quantity, inside its transaction. */
export const quantitiesChanged = (tx: Tx, productIds: readonly string[]): void =>
  productIds.forEach((productId) => notifyAfterCommit(tx, 'catalog', productId));

/** Call it when a category or a product's facts were written, inside that transaction. */
export const factsChanged = (tx: Tx): void => notifyAfterCommit(tx, 'catalog', factsChange);

/** Call it with every change of a user's cart, orders or lists, inside its transaction. */
export const liveChanged = (tx: Tx, userId: string, what: LiveChange): void =>
  notifyAfterCommit(tx, 'own', `${what}:${userId}`);

/** Call it when an order was paid, inside its transaction: staff are told which. */
export const orderPaid = (tx: Tx, userId: string, orderId: string): void =>
  notifyAfterCommit(tx, 'own', `paid:${userId}:${orderId}`);
