/** What a cart would cost. Rule: docs/rules/orders-and-payment.md, The quote */
import { cartMessages } from '../../shared/cart';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { parseCode } from '../../shared/discounts';
import { maxOrderCents, minOrderCents } from '../../shared/orders';
import { findStateCode } from '../../shared/usStates';
import { findPricedLines } from '../cart/lines';
import type { Clock } from '../core/clock';
import { readTogether, type Db } from '../db/core/transact';
import { conflict, notFound } from '../http/core/problems';
import { countFailedCode, settlingGuess } from './codeThrottle';
import { isNotServed, presentQuote, priceOf } from './pricing';
import { readTerms } from './terms';

type QuoteParts = { db: Db; clock: Clock; settings: { get: () => Promise<{ timeZone: string }> } };

/**
 * @returns what the cart costs now; its lines' present prices, whether or not they are confirmed
 * @throws Problem 404 cart_not_found; 409 cart_empty, total_too_small, total_too_large and the refusals of a code;
 *   429 too_many_attempts
 */
export async function quoteOrder(
  parts: QuoteParts,
  { userId, cartId, address }: { userId: string; cartId: string; address: string },
  { deliveryAddress, deliveryMethodId, discountCode }: Schema<'QuoteRequest'>,
): Promise<Schema<'Quote'>> {
  const { db, clock, settings } = parts;
  const code = askedCode(discountCode);
  const state = deliveryAddress ? (findStateCode(deliveryAddress.state) ?? deliveryAddress.state) : undefined;
  const [counted, lines, terms] = await readTogether(db, (on) => [
    countFailedCode(on, { userId, address, code, now: clock.now() }),
    findPricedLines(on, userId, cartId),
    readTerms(on, { userId, state, code }),
  ]);
  return settlingGuess(db, counted, async () => {
    if (!lines) throw notFound('cart_not_found', messages.noCart);
    if (lines.length === 0) throw conflict('cart_empty', cartMessages.empty);
    const choice = { state, deliveryMethodId: deliveryMethodId ?? undefined, code };
    const { timeZone } = await settings.get();
    const price = priceOf(lines, terms, choice, { now: clock.now(), timeZone });
    // without an address, delivery or tax may still bring it above the least
    const isWhole = state !== undefined || (terms.methods.length === 0 && !terms.hasRates);
    if (isWhole && !isNotServed(price)) requireSaneTotal(price.total.totalCents, code);
    return presentQuote(price);
  });
}

const tooSmall = 'An order must come to at least $0.50';
const tooSmallWithCode =
  'With this code your order is under $0.50, the least we can charge. Add an item or use another code.';

/** @throws Problem 409 total_too_small, total_too_large */
export function requireSaneTotal(totalCents: number, code?: string): void {
  if (totalCents < minOrderCents) throw conflict('total_too_small', code === undefined ? tooSmall : tooSmallWithCode);
  if (totalCents > maxOrderCents) throw conflict('total_too_large', 'This order is too large to be paid by card');
}

/**
 * @param text as it was sent; blank: no code
 * @returns the code in capitals; one that no code can look like is kept as it is, and then unknown
 */
export function askedCode(text: string | null | undefined): string | undefined {
  const code = text?.trim();
  return code ? (parseCode(code) ?? code) : undefined;
}
