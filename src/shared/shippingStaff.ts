/** Shipping several orders at once. Rule: docs/rules/back-office.md, Ship orders */
import { countOf } from './counts';

/** How many orders are shipped at once: each is a call, and one for all would ship all or none. */
export const maxShippedOrders = 50;

export const shippingMessages = {
  title: 'Ship orders',
  intro: 'Scan or type a tracking number per order. Each customer gets one email with the carrier and a Track link.',
  listFailure: "Couldn't load the orders",
  noneChosen: 'Choose the orders to ship in the list of orders.',
  ready: (orders: number, left: number) =>
    left === 0
      ? `${countOf(orders, 'order')} ready to ship.`
      : `${countOf(orders, 'order')} ready to ship. ${countOf(left, 'order')} without a number ${left === 1 ? 'stays' : 'stay'} as ${left === 1 ? 'it is' : 'they are'}.`,
  noneReady: 'Enter a tracking number, or choose Without tracking.',
  allShipped: 'Everything here is shipped.',
  shipped: (orders: number) => `${countOf(orders, 'order')} shipped`,
  undone: (packages: number) => `${countOf(packages, 'package')} deleted`,
  undoFailure: "Couldn't delete all packages. Check the orders.",
  failure: "Couldn't ship the orders. Try again.",
  refused: (orders: number) =>
    orders === 1
      ? "1 order wasn't shipped. Its row says why."
      : `${orders} orders weren't shipped. Their rows say why.`,
  lost: "The shop didn't answer. Save again: nothing ships twice.",
  nothingLeft: 'Nothing left to ship',
  enteredFor: (orderNumber: string) => `Also entered for #${orderNumber}`,
} as const;
