/** Adds the packs of an order to par to the cart, each product once, and can undo exactly that. */
import type { ParRow } from '../../../shared/orderToPar';
import type { CartChange } from '../../../shared/cart';
import type { Schema } from '../../../shared/contract';
import { fromCents } from '../../../shared/money';
import { outbox } from '../../outbox/outbox';
import type { Sent } from '../../outbox/operation';
import { lineFacts } from '../../cart/lineFacts';
import { newKey } from '../../server/keys';
import type { Products } from './products';

/** One added product, with the idempotency key of its change. */
interface Addition {
  key: string;
  productId: string;
  packs: number;
  change: CartChange;
}

export interface AddedToCart {
  additions: readonly Addition[];
  /** Excludes rejected changes. */
  packs: number;
  products: number;
  /** How many changes the server rejected; the cart shows them with their reasons. */
  refused: number;
  /** Why the changes are waiting, if there is no connection. */
  waits: Queued | undefined;
}

type Queued = Extract<Sent, { queued: true }>;

/**
 * Adds the packs of each row with one change through the outbox. A product that is not in the cart yet is sent with its
 * name and price, so that the cart can show it offline.
 * @param products by id, for what the line shows until the server answers
 * @returns when all changes are done or saved on the device
 */
export async function addToCart(userId: string, rows: readonly ParRow[], products: Products): Promise<AddedToCart> {
  const additions = rows
    .filter(({ packs }) => packs > 0)
    .map((row) => ({
      key: newKey(),
      productId: row.productId,
      packs: row.packs,
      change: changeOf(userId, row, products.get(row.productId)),
    }));
  const sent = await Promise.allSettled(
    additions.map(({ key, change }) => outbox.send(change.operation, change.input, { key, wasSent: false })),
  );
  const isAdded = (_: unknown, place: number) => sent[place]?.status === 'fulfilled';
  const added = additions.filter(isAdded);
  const waiting = sent.flatMap((each) => (each.status === 'fulfilled' && each.value.queued ? [each.value] : []));
  return {
    additions,
    packs: added.reduce((sum, { packs }) => sum + packs, 0),
    products: added.length,
    refused: additions.length - added.length,
    waits: waiting[0],
  };
}

function changeOf(userId: string, row: ParRow, product: Schema<'Product'> | undefined): CartChange {
  const { productId, name, packs, priceCents } = row;
  if (row.inCart > 0)
    return { operation: 'updateCartItem', input: { userId, update: { productId, change: packs }, name } };
  const item = { productId, name, price: fromCents(priceCents), quantity: packs, image: product?.imageUrl ?? null };
  const facts = product && { facts: lineFacts(product) };
  return { operation: 'addCartItem', input: { userId, item, ...facts } };
}

/**
 * Undoes exactly what was added: unsent changes are removed, rejected ones discarded, and sent ones reversed by the
 * same number of packs. Rule: docs/rules/kitchen.md, Order to par
 * @returns why some of it is waiting, if there is no connection
 */
export async function undoAddToCart(userId: string, { additions }: AddedToCart): Promise<Queued | undefined> {
  let waiting: Queued | undefined;
  for (const { key, productId, packs, change } of additions.toReversed()) {
    const isRefused = outbox.refused(userId).some((each) => each.key === key);
    if (isRefused) await outbox.discard(key);
    else if (!(await outbox.undo(key, change.input))) {
      const sent = await outbox.send('updateCartItem', { userId, update: { productId, change: -packs } });
      if (sent.queued) waiting ??= sent;
    }
  }
  return waiting;
}
