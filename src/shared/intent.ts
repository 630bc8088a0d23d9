/**
 * A prepared order that waits on one device for a connection. It becomes an order only when the user presses the
 * button.
 * Rule: docs/rules/orders-and-payment.md, Ordering while offline
 */
import { goodsCents, withChange } from './cart';
import { noticeSentence } from './cartNotice';
import { compareLine } from './comparison';
import type { Schema } from './contract';
import { formatMoney, roundMoney, toCents } from './money';
import { sizeFacts, type Sized } from './sizes';

export interface Intent {
  /** Identifies this prepared order; a later one of the same user has a new id. */
  id: string;
  userId: string;
  /** In ms; by the device's clock until the server's time is known. */
  madeAt: number;
  /** Whether `madeAt` is in server time. */
  isServerTime?: boolean;
  /** When the server last sent the cart that was shown, in ms. */
  asOf: number;
  /** The id of the address if it was a saved one. */
  savedId?: string;
  /** Recipient and address; for a saved address, a copy from that time. */
  address: Schema<'AddressForm'> & { fullName: string };
  /** The delivery method and the note chosen at checkout. */
  wish: { methodId?: string; note?: string };
  shown: Shown;
}

/** What the page showed when the order was saved. Dollars, as on the wire. */
export interface Shown {
  lines: (Sized & {
    productId: string;
    productName: string;
    imageUrl: string | null;
    quantity: number;
    price: number;
  })[];
  /** null: delivery is not charged, or no method serves the address. */
  delivery: { name: string; price: number } | null;
  total: number | null;
}

/** How long it is stored. */
export const intentKeptMs = 24 * 60 * 60_000;

/** @param now in ms, in server time if known */
export const isOver = ({ madeAt }: Pick<Intent, 'madeAt'>, now: number): boolean => now - madeAt >= intentKeptMs;

/**
 * Converts the age of the order to server time as soon as that is known: a device's clock may be off by hours.
 * @param serverMs the server's current time
 * @param deviceMs the device's current time
 * @returns the intent with `madeAt` in server time, never in the future
 */
export function byServerTime(intent: Intent, serverMs: number, deviceMs: number): Intent {
  if (intent.isServerTime) return intent;
  const madeAt = Math.min(serverMs, intent.madeAt + (serverMs - deviceMs));
  return { ...intent, madeAt, isServerTime: true };
}

/** A difference from what was shown. */
export interface IntentChange {
  key: string;
  title: string;
  /** What is in the order now. */
  detail: string;
  /** The cart's message for the notice. */
  notice: string | undefined;
  imageUrl?: string | null;
  /** The size of a line's product. */
  sized?: Sized;
  /** The line, while it is in the cart. */
  line?: Schema<'CartItem'>;
  /** If set, the user must accept this number of units before ordering; 0 removes the line. */
  settleAt?: number;
}

/**
 * @param cart the shop's current cart
 * @param quote its total; undefined where the Subtotal is the total
 * @returns the differences, lines first; empty if nothing changed
 */
export function changesOf(
  { shown }: Pick<Intent, 'shown'>,
  cart: Schema<'Cart'>,
  { delivery, total }: { delivery: DeliveryNow | null; total: number | null },
): IntentChange[] {
  const changes = [...shown.lines.flatMap((line) => lineChange(line, cart)), ...added(shown, cart)];
  if (wordsOf(delivery) !== wordsOf(shown.delivery))
    changes.push({ key: 'delivery', ...deliveryChange(shown.delivery, delivery, cart), notice: undefined });
  if (total !== shown.total && total !== null)
    changes.push({
      key: 'total',
      title: `The total is now ${formatMoney(toCents(total))}`,
      detail: shown.total === null ? "Wasn't shown before" : `Was ${formatMoney(toCents(shown.total))}`,
      notice: undefined,
    });
  return changes;
}

function deliveryChange(
  shown: Shown['delivery'],
  now: DeliveryNow | null,
  { cartItems }: Schema<'Cart'>,
): Pick<IntentChange, 'title' | 'detail'> {
  if (!now) return { title: 'Delivery is no longer charged', detail: `Was ${wordsOf(shown)}` };
  if (shown?.name !== now.name)
    return {
      title: `Delivery is now ${wordsOf(now)}`,
      detail: shown ? `Was ${wordsOf(shown)}` : "Wasn't charged before",
    };
  const freeFromCents = toCents(now.freeFrom ?? 0);
  const isBelow = shown.price === 0 && goodsCents(cartItems) < freeFromCents;
  return {
    title: `Delivery is now ${priceOf(now)}`,
    detail: isBelow ? `The subtotal is under ${roundMoney(freeFromCents)}` : `Was ${priceOf(shown)}`,
  };
}

/** As currently quoted by the shop. */
type DeliveryNow = NonNullable<Shown['delivery']> & Partial<Pick<Schema<'QuotedMethod'>, 'freeFrom'>>;
type ShownLine = Shown['lines'][number];

function lineChange(shown: ShownLine, cart: Schema<'Cart'>): IntentChange[] {
  const { productId, productName, imageUrl, price } = shown;
  const named = { key: productId, title: productName, imageUrl, sized: sizeFacts(shown) };
  const line = cart.cartItems.find((each) => each.productId === productId);
  if (!line) return [{ ...named, detail: 'No longer in this order', notice: undefined }];
  const { quantity, notice } = compareLine(
    { quantity: line.quantity, priceCents: toCents(price) },
    {
      priceCents: toCents(line.currentPrice),
      isArchived: line.notice === 'archived',
      isSold: line.notice !== 'out_of_stock',
      stock: line.stock,
      inCart: 0,
    },
  );
  if (notice === null && line.quantity === shown.quantity) return [];
  const mustSettle = notice !== null && notice !== 'price_changed';
  return [
    {
      ...named,
      detail: unitsOf(line.quantity, shown.quantity),
      notice: noticeSentence({ ...line, price, notice }) ?? undefined,
      line,
      ...(mustSettle && { settleAt: quantity }),
    },
  ];
}

/** Lines added to the cart since, for example on another device. */
function added(shown: Shown, { cartItems }: Schema<'Cart'>): IntentChange[] {
  const known = new Set(shown.lines.map(({ productId }) => productId));
  return cartItems
    .filter(({ productId }) => !known.has(productId))
    .flatMap((line) => {
      const { productId, productName, imageUrl, quantity, price } = line;
      const [change] = lineChange(
        { ...sizeFacts(line), productId, productName, imageUrl, quantity, price },
        { ...emptyCart, cartItems: [line] },
      );
      const detail = `${quantity} in this order, added later`;
      const sized = sizeFacts(line);
      return [{ key: productId, title: productName, imageUrl, sized, notice: undefined, line, ...change, detail }];
    });
}

const emptyCart = { cartId: '', totalAmount: 0 };

const unitsOf = (now: number, before: number) =>
  now === before ? `${now} in this order` : `${now} in this order (you asked for ${before})`;

const wordsOf = (delivery: Shown['delivery']) => delivery && `${delivery.name} ${priceOf(delivery)}`;
const priceOf = ({ price }: { price: number }) => (price === 0 ? 'Free' : formatMoney(toCents(price)));

/** @returns the lines whose new prices Place Order accepts, and the cart after that */
export function withPricesKept(userId: string, cart: Schema<'Cart'>) {
  const lines = cart.cartItems.filter(({ notice }) => notice === 'price_changed');
  const keep = (so: Schema<'Cart'>, { id: cartItemId, quantity }: Schema<'CartItem'>) =>
    withChange(so, { operation: 'updateCartItem', input: { userId, update: { cartItemId, quantity } } });
  return { lines, cart: lines.reduce(keep, cart) };
}

/** Messages about a prepared order. */
export const intentMessages = {
  canPrepare: 'Get this order ready now',
  howItWaits:
    "It's saved on this device. When you're back online, review what changed and place it. Nothing is ordered or charged until then.",
  action: 'Order when online',
  kept: "We'll keep it for 24 hours.",
  keptUntil: (time: string) => `We'll keep it until ${time}.`,
  couldNotSave: "This browser couldn't save the order.",
  waits: "Order ready to place when you're online",
  ready: 'Your order is ready to place. Nothing has been ordered yet.',
  see: 'View order',
  title: 'Your order is ready to place',
  titleBefore: 'Your order',
  nothingYet: 'Nothing has been ordered yet.',
  accepts: 'The Cart Summary includes these changes. Place Order accepts them.',
  settleFirst: 'Review the highlighted items to continue',
  unchanged: (time: string) => `Nothing has changed since ${time}.`,
  over: "The order on this device expired after 24 hours. Your cart hasn't changed.",
  gone: "There's no order waiting on this device.",
  fromHere: 'From this device',
  asOf: (time: string) => `As of ${time}`,
  totalAsOf: (time: string) => `Total as of ${time}`,
  logout: 'You have an unplaced order on this device. Logging out deletes it.',
  logoutTitle: 'Log out and delete your unplaced order?',
  logoutAction: 'Delete order and log out',
  cancel: 'Discard order',
} as const;
