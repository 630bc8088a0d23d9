import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { toast as toasts } from 'react-hot-toast/headless';
import { cartMessages, inCart } from '../../shared/cartMessages';
import type { Schema } from '../../shared/contract';
import { queuedSentence } from '../connection/queuedSentence';
import type { Inputs } from '../outbox/operation';
import { outbox } from '../outbox/outbox';
import { dutyByCode, isRejection, sentenceOf } from '../server/errors';
import { newKey } from '../server/keys';
import { session } from '../server/session';
import { toast } from '../ui/toast';
import { saveIntention } from './intention';
import { lineFacts } from './lineFacts';
import { cartOf, type LineInCart } from './lineInCart';
import { cartQuery } from './queries';

type Product = Schema<'CardProduct'>;

/**
 * Puts one unit of a product into the cart; for a visitor, saves it until the login.
 * Rule: docs/rules/cart.md, Adding before login
 */
export function addOne(router: AnyRouter, cache: QueryClient, product: Product): void {
  const { id: productId, name, price, imageUrl: image } = product;
  const item = { productId, name, price, quantity: 1, image };
  const user = session.get();
  if (user) return void change(cache, product, 'addCartItem', { userId: user.id, item, facts: lineFacts(product) });
  saveIntention(item);
  toast.warning(cartMessages.loginToAdd);
  void router.navigate({ to: '/login', search: { redirect: router.state.location.href } });
}

/** Takes one unit out of the cart; the last one is removed with the line (removal.ts). */
export function takeOne(cache: QueryClient, product: Product, { userId }: LineInCart): void {
  const { id: productId, name } = product;
  void change(cache, product, 'updateCartItem', { userId, update: { productId, change: -1 }, name });
}

/** All presses share one toast, which counts. */
const toastId = 'cart';

/** It says how many are in the cart, which a removal makes untrue. */
export const closeCartToast = (): void => toasts.remove(toastId);

/**
 * Quick presses become one change (outbox.ts, mayGrow). A rejected one is taken back here, since the customer has just
 * been told; one whose page was left stays in the cart, to be settled there.
 * Rule: docs/rules/cart.md, The stepper
 */
async function change<Name extends 'addCartItem' | 'updateCartItem'>(
  cache: QueryClient,
  product: Product,
  operation: Name,
  input: Inputs[Name],
): Promise<void> {
  const key = newKey();
  const { success, failure } = cartMessages[operation];
  try {
    const answer = await outbox.send(operation, input, { key, wasSent: false, mayGrow: true });
    const units = cartOf(cache).lineOf(product)?.line.quantity ?? 0;
    const queued = queuedSentence(answer);
    const count = inCart(units).replaceAll(' ', '\u00a0'); // on one line
    const more = { id: toastId, detail: `${product.name} · ${count}` };
    toast[queued ? 'info' : 'success'](queued ?? success, viewCart, more);
  } catch (error) {
    toast.error(sentenceOf(error, failure), { id: toastId, detail: product.name });
    if (isRejection(error) && error.status !== 401 && !dutyByCode[error.code]) await outbox.discard(key);
    await cache.invalidateQueries(cartQuery(input.userId)); // often the shown cart was outdated
  }
}

const viewCart = { label: cartMessages.view, to: '/cart' };
