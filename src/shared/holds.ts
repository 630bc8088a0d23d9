/**
 * How long unpaid orders reserve stock, and when a customer may reserve again.
 * Rule: docs/rules/orders-and-payment.md, Reserving stock
 */

/** How long a first order and all its replacements hold goods: just over the provider's minimum for a session. */
export const holdMinutes = 31;

/** An order that replaces another one shortly before its end gets at least this long, once. */
export const lastHoldMinutes = 10;

/** How long the customer waits after the first, second, third, and each further hold in a row that ended unpaid. */
export const waitMinutes = [0, 5, 15, 60] as const;

/** A hold that ended unpaid stops counting after this many hours. */
export const unpaidLimitHours = 24;

/** Staff get an alarm about a hold of more than half of the stock of this many products. */
export const largeHoldProducts = 3;

/**
 * @param stock all unsold units, in stock or held by any customer
 * @returns whether `units` is more than half of the stock
 */
export const isLarge = (units: number, stock: number): boolean => units * 2 > stock;

/** Customers on one network who have never paid may always hold this many units of a product together. */
export const minNetworkUnits = 5;

/** An order of a customer who has never paid may take the last units of at most this many products. */
export const newCustomerLastUnits = 5;

/**
 * @param stock all unsold units, in stock or held by any customer
 * @returns how many units the customers on one network who have never paid may hold together
 */
export const maxNetworkUnits = (stock: number): number => Math.max(minNetworkUnits, Math.floor(stock / 2));

export const holdMessages = {
  listHolds: { success: 'Reserved stock', failure: "Couldn't load reserved stock" },
  noHolds: 'No reserved stock.',
  endHold: {
    success: 'Stock released. The order was canceled.',
    paid: "This order was just paid, so it wasn't canceled",
    asked: 'The stock is released as soon as the payment provider responds',
    failure: "Couldn't release the stock. Try again.",
  },
  endAsks: "This cancels the unpaid order and puts its items back in stock. If it's paid first, the order stays.",
  fewUnits: (most: number, product: string) =>
    `Until you've paid for your first order, you can buy up to ${most} of ${product}. Change the quantity in your cart.`,
  networkUnits: (most: number, product: string) =>
    most > 0
      ? `Right now you can order up to ${most} of ${product}. Change it in your cart, or try again in a few minutes.`
      : `${product} is reserved by other new customers right now. Try again in a few minutes, or remove it from your cart.`,
  lastUnits: (most: number, product: string) =>
    `On your first order, you can buy the last items in stock of up to ${most} products. Order fewer of ${product}, or remove it from your cart.`,
  orderAgainIn: (minutes: number) =>
    `Your recent orders weren't paid, so their items went back in stock. You can order again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. Your cart is saved.`,
  large: (products: number) =>
    `One customer's unpaid order is reserving more than half the stock of ${products} products.`,
} as const;
