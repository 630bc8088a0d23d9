/** What a cart would cost. Rule: docs/rules/orders-and-payment.md, The quote */
import { cartSays } from '../../shared/cart';
import { says } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { parseCode } from '../../shared/discounts';
import { maxOrderCents, minOrderCents } from '../../shared/orders';
import { findStateCode } from '../../shared/usStates';
import { countAttempt, type Counted, discountRateLimits, noteSuccess } from '../auth/rateLimits';
import { findPricedLines } from '../cart/lines';
import type { Clock } from '../clock';
import { readTogether, type Connection, type Db } from '../db/transact';
import { conflict, notFound, Problem } from '../http/problems';
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
  { userId, cartId }: { userId: string; cartId: string },
  { deliveryAddress, deliveryMethodId, discountCode }: Schema<'QuoteRequest'>,
): Promise<Schema<'Quote'>> {
  const { db, clock, settings } = parts;
  const code = askedCode(discountCode);
  const state = deliveryAddress ? (findStateCode(deliveryAddress.state) ?? deliveryAddress.state) : undefined;
  const [counted, lines, terms] = await readTogether(db, (on) => [
    countGuess(on, { userId, code, now: clock.now() }),
    findPricedLines(on, userId, cartId),
    readTerms(on, { userId, state, code }),
  ]);
  return settlingGuess(db, counted, async () => {
    if (!lines) throw notFound('cart_not_found', says.noCart);
    if (lines.length === 0) throw conflict('cart_empty', cartSays.empty);
    const choice = { state, deliveryMethodId: deliveryMethodId ?? undefined, code };
    const { timeZone } = await settings.get();
    const price = priceOf(lines, terms, choice, { now: clock.now(), timeZone });
    if (!isNotServed(price)) requireSaneTotal(price.total.totalCents);
    return presentQuote(price);
  });
}

/** @throws Problem 409 total_too_small, total_too_large */
export function requireSaneTotal(totalCents: number): void {
  if (totalCents < minOrderCents) throw conflict('total_too_small', 'An order must come to at least $0.50');
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

/**
 * Counts a code before the work that looks it up, and takes it out of the count again unless there is no such code: so
 * nobody finds codes by trying, and a burst of tries is counted too.
 * @throws Problem 429 too_many_attempts; what the work throws
 */
export async function countingGuesses<T>(
  { db, clock }: Pick<QuoteParts, 'db' | 'clock'>,
  { userId, code }: { userId: string; code: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  return settlingGuess(db, await countGuess(db, { userId, code, now: clock.now() }), work);
}

/** @returns undefined without a code. @throws Problem 429 too_many_attempts */
async function countGuess(
  connection: Connection,
  { userId, code, now }: { userId: string; code: string | undefined; now: Date },
): Promise<Counted | undefined> {
  return code === undefined ? undefined : countAttempt(connection, discountRateLimits(userId), now);
}

async function settlingGuess<T>(db: Db, counted: Counted | undefined, work: () => Promise<T>): Promise<T> {
  if (!counted) return work();
  try {
    const done = await work();
    await noteSuccess(db, counted);
    return done;
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'discount_unknown')) await noteSuccess(db, counted);
    throw error;
  }
}
