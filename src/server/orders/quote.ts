/** Quotes a cart. Rule: docs/rules/orders-and-payment.md, The quote */
import { cartMessages } from '../../shared/cartMessages';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { parseCode } from '../../shared/pastedCodes';
import { maxOrderCents, minOrderCents } from '../../shared/orders';
import { findStateCode } from '../../shared/usStates';
import { findPricedLines } from '../cart/lines';
import type { Clock } from '../core/clock';
import { readTogether, type Db } from '../db/core/transact';
import { conflict, notFound } from '../http/core/problems';
import { countFailedCode, settleAttempt } from './codeThrottle';
import { isNotServed, presentQuote, priceOf } from './pricing';
import { readTerms } from './orderTerms';

type QuoteParts = {
  db: Db;
  clock: Clock;
  settings: { get: () => Promise<{ timeZone: string; territories: boolean }> };
};

/**
 * @returns the price of the cart now, at its lines' current prices, confirmed or not
 * @throws Problem 404 cart_not_found; 409 cart_empty, total_too_small, total_too_large and the errors of a code;
 *   429 too_many_attempts
 */
export async function quoteOrder(
  parts: QuoteParts,
  { userId, cartId, address }: { userId: string; cartId: string; address: string },
  { deliveryAddress, deliveryMethodId, discountCode }: Schema<'QuoteRequest'>,
): Promise<Schema<'Quote'>> {
  const { db, clock, settings } = parts;
  const code = requestedCode(discountCode);
  const state = deliveryAddress ? (findStateCode(deliveryAddress.state) ?? deliveryAddress.state) : undefined;
  const [counted, lines, terms] = await readTogether(db, (on) => [
    countFailedCode(on, { userId, address, code, now: clock.now() }),
    findPricedLines(on, userId, cartId),
    readTerms(on, { userId, state, code }),
  ]);
  return settleAttempt(db, counted, async () => {
    if (!lines) throw notFound('cart_not_found', messages.noCart);
    if (lines.length === 0) throw conflict('cart_empty', cartMessages.empty);
    const choice = { state, deliveryMethodId: deliveryMethodId ?? undefined, code };
    const { timeZone, territories } = await settings.get();
    const price = priceOf(lines, terms, choice, { now: clock.now(), timeZone, territories });
    // without an address, delivery or tax may still raise the total above the minimum
    const isComplete = state !== undefined || (terms.methods.length === 0 && !terms.hasRates);
    if (isComplete && !isNotServed(price)) requireTotalInRange(price.total.totalCents, code);
    return presentQuote(price);
  });
}

const tooSmall = 'Orders must be at least $0.50';
const tooSmallWithCode =
  'With this code your order is under $0.50, the least we can charge. Add an item or use another code.';

/** @throws Problem 409 total_too_small, total_too_large */
export function requireTotalInRange(totalCents: number, code?: string): void {
  if (totalCents < minOrderCents) throw conflict('total_too_small', code === undefined ? tooSmall : tooSmallWithCode);
  if (totalCents > maxOrderCents) throw conflict('total_too_large', 'This order is too large to pay by card');
}

/**
 * @param text as sent by the client; blank: no code
 * @returns the code in capitals; text that is not a valid code is returned as is, and will be unknown
 */
export function requestedCode(text: string | null | undefined): string | undefined {
  const code = text?.trim();
  return code ? (parseCode(code) ?? code) : undefined;
}
