/**
 * Placing an order. One transaction re-prices the cart from the products, takes the stock (all lines or none) and writes
 * the order; the payment session is opened after it, under a key made from the order. Whatever breaks in between, the
 * next click, the webhook, the return page or the sweeper finds the order and goes on from there: the same lines, prices
 * and address are the same order, and anything changed first ends the older payment at the provider, then replaces the
 * older order in the same transaction that writes the new one, which goes on with its hold (holding.ts).
 * A customer holds goods for one open order at most (the database's orders_one_open); a cart has one line per product, so
 * the units that are checked and held are the sum of what is bought of it.
 * Rule: docs/rules/orders-and-payment.md, Placing an order
 */
import { createHash, randomUUID } from 'node:crypto';
import { cartMessages } from '../../shared/cart';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { holdMessages, mostOfNetwork, newCustomerLastUnits } from '../../shared/holds';
import { formatMoney } from '../../shared/money';
import { maxOrderLines, maxOrderLinesWithMore } from '../../shared/orders';
import type { LineShares } from '../../shared/total';
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
import { cancelOrder, payableForMs } from './lifecycle';
import { isNotServed, presentQuote, priceOf, type Price } from './pricing';
import { requireSaneTotal } from './quote';
import { findHolding, insertOrder } from './repository';
import { lockCode, readTerms } from './terms';

export type PlacingParts = {
  db: Db;
  clock: Clock;
  payments: {
    /**
     * Opens the payment of an order that was written, or finds it open.
     * @returns the page where it is paid; undefined when it cannot be any more: then the order has been cancelled
     */
    open: (orderId: string) => Promise<string | undefined>;
    /** Makes an order's payment impossible, or finishes the one that came first. */
    end: (orderId: string) => Promise<void>;
    /** The same, and cancels the order unless it was paid. */
    cancel: (orderId: string) => Promise<void>;
  };
  settings: { get: () => Promise<{ newCustomerUnits: number; newCustomerLimits: boolean; timeZone: string }> };
};
export type OrderRequest = {
  userId: string;
  /** Where the call comes from. */
  address: string;
  cartId: string;
  customer: string;
  deliveryAddress: Schema<'DeliveryAddress'>;
  deliveryMethodId: string | undefined;
  /** In capitals. */
  discountCode: string | undefined;
  /** The total that was shown; undefined: whatever it is. */
  expectedCents: number | undefined;
  deliveryNote: string | undefined;
};
export type Placed = { orderId: string; orderNumber: string; paymentUrl: string };

const maxTries = 3;

/**
 * @returns the order and the page where it is paid
 * @throws Problem 404 cart_not_found; 409 cart_empty, line_unavailable, not_enough_stock, price_changed, too_many_lines,
 * total_too_small, total_too_large, total_changed, no_delivery, too_many_for_new_customer, the refusals of a code;
 * 429 order_again_later, too_many_attempts; 502 payment_unavailable
 */
export async function placeOrder(parts: PlacingParts, request: OrderRequest): Promise<Placed> {
  const { userId, address, discountCode: code } = request;
  return countingFailedCodes(parts, { userId, address, code }, async () => placeUncounted(parts, request));
}

async function placeUncounted(parts: PlacingParts, request: OrderRequest): Promise<Placed> {
  const owner = await parts.settings.get();
  let endedOrderId: string | undefined;
  for (let attempt = 1; attempt <= maxTries; attempt++) {
    const step = await transact(parts.db, (tx) =>
      writeOrder(tx, request, { ...owner, endedOrderId, now: parts.clock.now() }),
    );
    const { orderId, orderNumber, next } = step;
    if (next === 'replace') {
      await parts.payments.end(orderId); // and if it turns out to be paid, the cart is another one on the next try
      endedOrderId = orderId;
    } else if (next === 'cancel') {
      await parts.payments.cancel(orderId);
    } else {
      const paymentUrl = await parts.payments.open(orderId);
      if (paymentUrl !== undefined) return { orderId, orderNumber, paymentUrl };
      // it had waited too long for its payment page and is cancelled: the next try writes a new one
    }
  }
  throw new Problem(503, 'unavailable', 'Your cart changed while you were ordering. Please try again.');
}

/** What is to be done with an order: give its payment page, replace it by a new one, or end it since its time is up. */
type Step = { orderId: string; orderNumber: string; next: 'pay' | 'replace' | 'cancel' };

/** `endedOrderId`: the order whose payment was made impossible, so that it can be replaced. */
type Try = {
  endedOrderId: string | undefined;
  newCustomerUnits: number;
  newCustomerLimits: boolean;
  timeZone: string;
  now: Date;
};

async function writeOrder(tx: Tx, request: OrderRequest, doing: Try): Promise<Step> {
  const { endedOrderId, newCustomerUnits, newCustomerLimits, now } = doing;
  const lines = await readLockedCart(tx, request, endedOrderId);
  const price = await priceLocked(tx, request, lines, doing); // also where an older order would be ended for it
  const contentHash = hashContent(request, lines, price);
  const holding = await findHolding(tx, request.userId);
  const { open } = holding;
  const next = open && open.order.id !== endedOrderId ? nextOf(holding, contentHash, now) : undefined;
  if (next !== 'pay' && holding.lastPaidAt === null) {
    requireFewUnits(lines, newCustomerUnits);
    if (newCustomerLimits) await requireFairShare(tx, request, lines);
  }
  if (open && next) return { orderId: open.order.id, orderNumber: open.order.orderNumber, next };
  if (open) await cancelOrder(tx, open.order, now, 'Replaced by a newer order');
  const hold = nextHold(holding, now);

  const orderId = randomUUID();
  const items = lines.map((line, position) => toOrderItem(line, { orderId, position, shares: price.total.lines }));
  const { userId, address, cartId, customer, deliveryAddress, deliveryNote } = request;
  const inserting = insertOrder(tx, {
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
  // sent together: the database takes them in this order
  const [orderNumber, missing] = await Promise.all([inserting, holdStock(tx, { orderId, lines: bought, now })]);
  const short = lines.find(({ productId }) => missing.includes(productId));
  if (short) throw notEnough(short);
  await alarmLargeHold(tx, { orderId, userId, since: hold.since, lines, now });
  return { orderId, orderNumber, next: 'pay' };
}

/** What is to be done with the order that is open, when something is ordered. */
function nextOf({ hold, open }: Holding, contentHash: Buffer, now: Date): Step['next'] {
  if (!hold || hold.until <= now) return 'cancel';
  return open?.order.contentHash.equals(contentHash) ? 'pay' : 'replace';
}

/**
 * The customer's cart with its products, locked, every line of it fit to be ordered.
 * @param endedOrderId the order that is replaced: what it held is locked with them
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
 * What the order costs, with its discount code locked.
 * @throws Problem 409 total_too_small, total_too_large, total_changed, no_delivery, too_many_lines, the refusals of a code
 */
async function priceLocked(tx: Tx, request: OrderRequest, lines: readonly PricedLine[], at: Try): Promise<Price> {
  const { userId, deliveryMethodId, discountCode: code, expectedCents } = request;
  const { state } = request.deliveryAddress;
  if (code !== undefined) await lockCode(tx, code);
  const terms = await readTerms(tx, { userId, state, code });
  const price = priceOf(lines, terms, { state, deliveryMethodId, code }, at);
  if (isNotServed(price)) throw conflict('no_delivery', messages.noDelivery(stateName(state)));
  const { totalCents } = price.total;
  requireSaneTotal(totalCents, code);
  if (lines.length > maxOrderLinesWithMore && (terms.methods.length > 0 || terms.hasRates))
    throw tooManyLines(maxOrderLinesWithMore);
  if (deliveryMethodId !== undefined && price.method?.id !== deliveryMethodId)
    throw changed(price, messages.methodGone);
  if (expectedCents !== undefined && expectedCents !== totalCents)
    throw changed(price, messages.totalChanged(formatMoney(expectedCents), formatMoney(totalCents)));
  return price;
}

/** Nobody is ever charged a sum that was not shown: the refusal has the new one. */
const changed = (price: Price, message: string) =>
  new Problem(409, 'total_changed', message, { quote: presentQuote(price) });

/** The parts of the total as the order keeps them. */
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

/** Never charged silently: a line whose price, stock or product changed is settled in the cart first. */
function requireSettled(line: CartLine): void {
  switch (noticeOf(line)) {
    case 'archived':
      throw conflict('line_unavailable', `${line.productName} is no longer sold. Please remove it from your cart.`);
    case 'out_of_stock':
      throw conflict('line_unavailable', `${line.productName} is out of stock. Please remove it from your cart.`);
    case 'not_enough_stock':
      throw notEnough(line);
    case 'price_changed':
      throw conflict('price_changed', `The price of ${line.productName} has changed. Please confirm it in your cart.`);
    default:
  }
}

const notEnough = ({ stock, productName }: CartLine) =>
  conflict('not_enough_stock', `Only ${stock} left of ${productName}`);

const tooManyLines = (most: number) =>
  conflict('too_many_lines', `An order can have at most ${most} different products`);

/** A person without a paid order may be anybody, again and again. Rule: docs/rules/orders-and-payment.md, New customers */
function requireFewUnits(lines: readonly CartLine[], most: number): void {
  const many = lines.find(({ quantity }) => quantity > most);
  if (many) throw tooManyForNew(holdMessages.fewUnits(most, many.productName));
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
  if (isOwnMachine(network)) return; // everybody's, behind a proxy that does not say whom it speaks for
  const shares = await findShares(tx, { userId, network, productIds: lines.map(({ productId }) => productId) });
  for (const { productId, quantity, productName } of lines) {
    const { stock = 0, held = 0 } = shares.get(productId) ?? {};
    const most = Math.max(0, mostOfNetwork(stock) - held);
    if (quantity > most) throw tooManyForNew(holdMessages.networkUnits(most, productName));
  }
}

const tooManyForNew = (message: string) => conflict('too_many_for_new_customer', message);

const centsOf = ({ currentPriceCents, quantity }: CartLine) => currentPriceCents * quantity;

type Place = { orderId: string; position: number; shares: readonly LineShares[] };

const toOrderItem = (line: PricedLine, { orderId, position, shares }: Place) => ({
  id: randomUUID(),
  orderId,
  productId: line.productId,
  productName: line.productName,
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

/** The same cart, address and total give the same hash. */
function hashContent(
  { cartId, customer, deliveryAddress, deliveryNote }: OrderRequest,
  lines: readonly CartLine[],
  price: Price,
): Buffer {
  const { street, city, state, postalCode } = deliveryAddress;
  const bought = lines.map(({ productId, quantity, currentPriceCents }) => [productId, quantity, currentPriceCents]);
  bought.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)); // the same in every language
  const { discount, method, rate, total } = price;
  const content = [
    [cartId, customer, street, city, state, postalCode, bought, deliveryNote],
    [discount?.id, total.discountCents, method?.id, method?.name, total.deliveryCents],
    [rate?.state, rate?.ratePpm, total.taxCents],
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}
