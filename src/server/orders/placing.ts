/**
 * Placing an order. One transaction re-prices the cart from the products, takes the stock (all lines or none) and writes
 * the order. The payment session is opened after the commit, under a key derived from the order. After a crash in between,
 * the next click, the webhook, the return page or the sweeper finds the order and continues. The same lines, prices and
 * address are the same order. If anything changed, the older payment is first ended at the provider; then one transaction
 * cancels the older order and writes the new one, which continues its hold (holding.ts).
 * A customer holds stock for at most one open order (index orders_one_open). A cart has one line per product, so the
 * quantity of a line is everything that is bought of it.
 * Rule: docs/rules/orders-and-payment.md, Placing an order
 */
import { createHash, randomUUID } from 'node:crypto';
import { courierPartsOf } from '../../shared/addressLines';
import { cartMessages } from '../../shared/cartMessages';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { holdMessages, maxNetworkUnits, newCustomerLastUnits } from '../../shared/holds';
import { formatMoney } from '../../shared/money';
import { maxOrderLines, maxOrderLinesWithMore } from '../../shared/orders';
import type { LineShares } from '../../shared/total';
import type { StoredSettings } from '../../shared/settingFields';
import { stateName } from '../../shared/usStates';
import { noticeOf } from '../cart/present';
import { lockCart, lockLines, lockProductsOf, type CartLine, type PricedLine } from '../cart/lines';
import { pictureUrl } from '../catalog/present';
import type { Clock } from '../core/clock';
import { transact, type Db, type Tx } from '../db/core/transact';
import { isOwnMachine, networkOf } from '../http/core/network';
import { conflict, notFound, Problem } from '../http/core/problems';
import { holdStock } from '../stock/service';
import { countingFailedCodes } from './codeThrottle';
import { alarmLargeHold, findShares, nextHold, type Holding } from './holding';
import { type Canceler, cancelOrder, payableForMs } from './lifecycle';
import { isNotServed, presentQuote, priceOf, type Price } from './pricing';
import { requireTotalInRange } from './quote';
import { findHolding, insertOrder } from './repository';
import { lockCode, readTerms } from './orderTerms';

type PlacingSettings = Pick<StoredSettings, 'newCustomerUnits' | 'newCustomerLimits' | 'territories' | 'timeZone'>;
export type PlacingParts = {
  db: Db;
  clock: Clock;
  payments: {
    /**
     * Opens the payment of a written order, or finds it open.
     * @returns the payment page; undefined when the order can no longer be paid and has been canceled
     */
    open: (orderId: string) => Promise<string | undefined>;
    /** Makes an order's payment impossible, or finishes it if it was paid first. */
    end: (orderId: string) => Promise<void>;
    /** Like `end`, and cancels the order unless it was paid. */
    cancel: (orderId: string) => Promise<void>;
    /** Like `cancel`, in the name of the customer. */
    cancelFor: (orderId: string, canceler: Canceler) => Promise<void>;
  };
  settings: { get: () => Promise<PlacingSettings> };
};
export type OrderRequest = {
  userId: string;
  /** The client's network address. */
  address: string;
  cartId: string;
  customer: string;
  deliveryAddress: Schema<'DeliveryAddress'>;
  deliveryMethodId: string | undefined;
  /** In capitals. */
  discountCode: string | undefined;
  /** The total that the customer saw; undefined: accept any. */
  expectedCents: number | undefined;
  deliveryNote: string | undefined;
};
export type Placed = { orderId: string; orderNumber: string; paymentUrl: string };

const maxAttempts = 3;

/**
 * @returns the order and its payment page
 * @throws Problem 404 cart_not_found; 409 cart_empty, line_unavailable, not_enough_stock, price_changed, too_many_lines,
 * total_too_small, total_too_large, total_changed, no_delivery, too_many_for_new_customer, the errors of a code;
 * 429 order_again_later, too_many_attempts; 502 payment_unavailable
 */
export async function placeOrder(parts: PlacingParts, request: OrderRequest): Promise<Placed> {
  const { userId, address, discountCode: code } = request;
  return countingFailedCodes(parts, { userId, address, code }, async () => placeUncounted(parts, request));
}

async function placeUncounted(parts: PlacingParts, request: OrderRequest): Promise<Placed> {
  const shopSettings = await parts.settings.get();
  let endedOrderId: string | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const result = await transact(parts.db, (tx) =>
      writeOrder(tx, request, { ...shopSettings, endedOrderId, now: parts.clock.now() }),
    );
    const { orderId, orderNumber, next } = result;
    if (next === 'replace') {
      await parts.payments.end(orderId); // if it turns out to be paid, the cart is different on the next attempt
      endedOrderId = orderId;
    } else if (next === 'cancel') {
      await parts.payments.cancel(orderId);
    } else {
      const paymentUrl = await parts.payments.open(orderId);
      if (paymentUrl !== undefined) return { orderId, orderNumber, paymentUrl };
      // the order waited too long for its payment page and was canceled: the next attempt writes a new one
    }
  }
  throw new Problem(503, 'unavailable', 'Your cart changed while you were placing the order. Review it and try again.');
}

/** What to do next with the order: open its payment page, replace it by a new one, or cancel it because its time is up. */
type PlacingResult = { orderId: string; orderNumber: string; next: 'pay' | 'replace' | 'cancel' };

/** `endedOrderId`: the order whose payment was ended, so it can be replaced. */
type PlacingAttempt = PlacingSettings & {
  endedOrderId: string | undefined;
  now: Date;
};

async function writeOrder(tx: Tx, request: OrderRequest, attempt: PlacingAttempt): Promise<PlacingResult> {
  const { endedOrderId, newCustomerUnits, newCustomerLimits, now } = attempt;
  const lines = await readLockedCart(tx, request, endedOrderId);
  const price = await priceLocked(tx, request, lines, attempt); // before an older order is ended, so an invalid cart leaves that order alone
  const contentHash = hashContent(request, lines, price);
  const holding = await findHolding(tx, request.userId);
  const { open } = holding;
  const next = open && open.order.id !== endedOrderId ? nextStepFor(holding, contentHash, now) : undefined;
  if (next !== 'pay' && holding.lastPaidAt === null) {
    requireFewUnits(lines, newCustomerUnits);
    if (newCustomerLimits) await requireFairShare(tx, request, lines);
  }
  if (open && next) return { orderId: open.order.id, orderNumber: open.order.orderNumber, next };
  if (open) await cancelOrder(tx, open.order, now, { note: 'Replaced by a newer order' });
  const hold = nextHold(holding, now);

  const orderId = randomUUID();
  const items = lines.map((line, position) => toOrderItem(line, { orderId, position, shares: price.total.lines }));
  const { userId, address, cartId, customer, deliveryAddress, deliveryNote } = request;
  const orderInsert = insertOrder(tx, {
    id: orderId,
    userId,
    cartId,
    customer,
    ...deliveryAddress,
    ...partsOf(price),
    deliveryNote: deliveryNote ?? null,
    contentHash,
    createdAt: now,
    payableUntil: new Date(now.getTime() + payableForMs),
    hold,
    network: networkOf(address),
    items,
  });
  const bought = lines.map(({ productId, quantity }) => ({ productId, units: quantity }));
  // sent together: the database runs them in this order
  const [orderNumber, missing] = await Promise.all([orderInsert, holdStock(tx, { orderId, lines: bought, now })]);
  const shortLine = lines.find(({ productId }) => missing.includes(productId));
  if (shortLine) throw notEnough(shortLine);
  await alarmLargeHold(tx, { orderId, userId, since: hold.since, lines, now });
  return { orderId, orderNumber, next: 'pay' };
}

/** What to do with the open order when another order is placed. */
function nextStepFor({ hold, open }: Holding, contentHash: Buffer, now: Date): PlacingResult['next'] {
  if (!hold || hold.until <= now) return 'cancel';
  return open?.order.contentHash.equals(contentHash) ? 'pay' : 'replace';
}

/**
 * Locks the customer's cart and its products, and checks that every line can be ordered.
 * @param endedOrderId the order being replaced: the products it holds are locked too
 */
async function readLockedCart(
  tx: Tx,
  { userId, cartId }: OrderRequest,
  endedOrderId: string | undefined,
): Promise<PricedLine[]> {
  const ownCartId = await lockCart(tx, userId);
  if (ownCartId !== cartId) throw notFound('cart_not_found', messages.noCart);
  if (endedOrderId !== undefined) await lockProductsOf(tx, cartId, endedOrderId);
  const lines = await lockLines(tx, cartId);
  if (lines.length === 0) throw conflict('cart_empty', cartMessages.empty);
  if (lines.length > maxOrderLines) throw tooManyLines(maxOrderLines);
  for (const line of lines) requireSettled(line);
  return lines;
}

/**
 * Prices the order, with its discount code locked.
 * @throws Problem 409 total_too_small, total_too_large, total_changed, no_delivery, too_many_lines, the errors of a code
 */
async function priceLocked(
  tx: Tx,
  request: OrderRequest,
  lines: readonly PricedLine[],
  at: PlacingAttempt,
): Promise<Price> {
  const { userId, deliveryMethodId, discountCode: code, expectedCents } = request;
  const { state } = request.deliveryAddress;
  if (code !== undefined) await lockCode(tx, code);
  const terms = await readTerms(tx, { userId, state, code });
  const price = priceOf(lines, terms, { state, deliveryMethodId, code }, at);
  if (isNotServed(price)) throw conflict('no_delivery', messages.noDelivery(stateName(state)));
  const { totalCents } = price.total;
  requireTotalInRange(totalCents, code);
  if (lines.length > maxOrderLinesWithMore && (terms.methods.length > 0 || terms.hasRates))
    throw tooManyLines(maxOrderLinesWithMore);
  if (deliveryMethodId !== undefined && price.method?.id !== deliveryMethodId)
    throw totalChanged(price, messages.methodGone);
  if (expectedCents !== undefined && expectedCents !== totalCents)
    throw totalChanged(price, messages.totalChanged(formatMoney(expectedCents), formatMoney(totalCents)));
  return price;
}

/** A customer is never charged an amount they were not shown: the error carries the new quote. */
const totalChanged = (price: Price, message: string) =>
  new Problem(409, 'total_changed', message, { quote: presentQuote(price) });

/** The parts of the total, as columns of the order. */
const partsOf = ({ total, discount, method, rate }: Price) => ({
  totalCents: total.totalCents,
  discountId: discount?.id ?? null,
  discountCode: discount?.code ?? null,
  discountKind: discount?.kind ?? null,
  discountCents: total.discountCents,
  deliveryMethodId: method?.id ?? null,
  deliveryName: method?.name ?? null,
  deliveryCents: total.deliveryCents,
  taxState: rate?.state ?? null,
  taxRatePpm: rate?.ratePpm ?? null,
  taxedCents: total.taxedCents,
  taxCents: total.taxCents,
  deliveryTaxCents: total.deliveryTaxCents,
});

/** Nothing is charged silently: a changed price, stock or product must be settled in the cart first. */
function requireSettled(line: CartLine): void {
  switch (noticeOf(line)) {
    case 'archived':
      throw conflict(
        'line_unavailable',
        `${line.productName} is no longer sold. Remove it from your cart to continue.`,
      );
    case 'out_of_stock':
      throw conflict('line_unavailable', `${line.productName} is out of stock. Remove it from your cart to continue.`);
    case 'not_enough_stock':
      throw notEnough(line);
    case 'price_changed':
      throw conflict('price_changed', `The price of ${line.productName} changed. Confirm the new price in your cart.`);
    default:
  }
}

const notEnough = ({ stock, productName }: CartLine) =>
  conflict('not_enough_stock', `Only ${stock} left of ${productName}`);

const tooManyLines = (max: number) => conflict('too_many_lines', `An order can have up to ${max} different products`);

/**
 * Accounts without a paid order may be throwaways, so their units per product are capped.
 * Rule: docs/rules/orders-and-payment.md, New customers
 */
function requireFewUnits(lines: readonly CartLine[], max: number): void {
  const excess = lines.find(({ quantity }) => quantity > max);
  if (excess) throw tooManyForNew(holdMessages.fewUnits(max, excess.productName));
}

/**
 * Accounts without a paid order may be throwaways, so one network holds at most a share of each product, and one
 * order takes the last units of few products.
 */
async function requireFairShare(tx: Tx, { userId, address }: OrderRequest, lines: readonly CartLine[]): Promise<void> {
  const network = networkOf(address);
  const last = lines.filter(({ quantity, stock }) => quantity >= stock);
  const tooMany = last[newCustomerLastUnits];
  if (tooMany) throw tooManyForNew(holdMessages.lastUnits(newCustomerLastUnits, tooMany.productName));
  if (isOwnMachine(network)) return; // shared by all clients behind a proxy that does not forward their addresses
  const shares = await findShares(tx, { userId, network, productIds: lines.map(({ productId }) => productId) });
  for (const { productId, quantity, productName } of lines) {
    const { stock = 0, held = 0 } = shares.get(productId) ?? {};
    const max = Math.max(0, maxNetworkUnits(stock) - held);
    if (quantity > max) throw tooManyForNew(holdMessages.networkUnits(max, productName));
  }
}

const tooManyForNew = (message: string) => conflict('too_many_for_new_customer', message);

const centsOf = ({ currentPriceCents, quantity }: CartLine) => currentPriceCents * quantity;

type ItemContext = { orderId: string; position: number; shares: readonly LineShares[] };

const toOrderItem = (line: PricedLine, { orderId, position, shares }: ItemContext) => ({
  id: randomUUID(),
  orderId,
  productId: line.productId,
  productName: line.productName,
  unitSize: line.unitSize,
  netGrams: line.netGrams,
  netMillilitres: line.netMillilitres,
  imageUrl: pictureUrl(line.pictureHash),
  unitPriceCents: line.currentPriceCents,
  unitCostCents: line.unitCostCents,
  quantity: line.quantity,
  totalCents: centsOf(line),
  discountCents: shares[position]?.discountCents ?? 0,
  taxCents: shares[position]?.taxCents ?? 0,
  categoryId: line.categoryId,
  position,
});

/** Two orders with the same cart, address and total have the same hash. */
function hashContent(
  { cartId, customer, deliveryAddress, deliveryNote }: OrderRequest,
  lines: readonly CartLine[],
  price: Price,
): Buffer {
  const { street, city, state, postalCode } = deliveryAddress;
  const courier = Object.entries(courierPartsOf(deliveryAddress));
  const bought = lines.map(({ productId, quantity, currentPriceCents }) => [productId, quantity, currentPriceCents]);
  bought.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)); // independent of the locale
  const { discount, method, rate, total } = price;
  const content = [
    [cartId, customer, street, city, state, postalCode, bought, deliveryNote],
    ...(courier.length > 0 ? [courier] : []), // without them, the hash of an order from before they existed
    [discount?.id, total.discountCents, method?.id, method?.name, total.deliveryCents],
    [rate?.state, rate?.ratePpm, total.taxCents],
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}
