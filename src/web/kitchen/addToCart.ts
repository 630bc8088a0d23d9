/** Puts what an order to par adds into the cart, each product once, and takes exactly that back. */
import type { ParRow } from '../../shared/orderToPar';
import type { CartChange } from '../../shared/cart';
import { fromCents } from '../../shared/money';
import { outbox } from '../outbox/outbox';
import type { Sent } from '../outbox/operation';
import { newKey } from '../server/keys';

/** One product that was added, under the key that its change was made with. */
interface Addition {
  key: string;
  productId: string;
  packs: number;
  change: CartChange;
}

export interface AddedToCart {
  additions: readonly Addition[];
  /** Of those that were not refused. */
  packs: number;
  products: number;
  /** What the server refused stands in the cart, with its reason. */
  refused: number;
  /** Why it waits, where there is no connection. */
  waits: Queued | undefined;
}

type Queued = Extract<Sent, { queued: true }>;

/**
 * Adds the packs of each row by one change through the outbox. A product that is not in the cart yet is added with its name
 * and price, so that the cart shows it without a connection.
 * @param imageOf the address of a product's picture
 * @returns when all are kept on the device, or done
 */
export async function addToCart(
  userId: string,
  rows: readonly ParRow[],
  imageOf: (productId: string) => string | null,
): Promise<AddedToCart> {
  const additions = rows
    .filter(({ packs }) => packs > 0)
    .map((row) => ({
      key: newKey(),
      productId: row.productId,
      packs: row.packs,
      change: changeOf(userId, row, imageOf),
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

function changeOf(userId: string, row: ParRow, imageOf: (productId: string) => string | null): CartChange {
  const { productId, name, packs, priceCents } = row;
  if (row.inCart > 0)
    return { operation: 'updateCartItem', input: { userId, update: { productId, change: packs }, name } };
  const item = { productId, name, price: fromCents(priceCents), quantity: packs, image: imageOf(productId) };
  return { operation: 'addCartItem', input: { userId, item } };
}

/**
 * Takes back exactly what was added: what was never sent is removed, what was refused is discarded, and what was sent is
 * taken out of the cart by as many. Rule: docs/rules/kitchen.md, Order to par
 * @returns why some of it waits, where there is no connection
 */
export async function takeOutAgain(userId: string, { additions }: AddedToCart): Promise<Queued | undefined> {
  let waits: Queued | undefined;
  for (const { key, productId, packs, change } of additions.toReversed()) {
    const isRefused = outbox.refused(userId).some((each) => each.key === key);
    if (isRefused) await outbox.discard(key);
    else if (!(await outbox.undo(key, change.input))) {
      const sent = await outbox.send('updateCartItem', { userId, update: { productId, change: -packs } });
      if (sent.queued) waits ??= sent;
    }
  }
  return waits;
}
