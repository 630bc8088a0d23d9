/** Messages of the checkout. Rule: docs/rules/orders-and-payment.md, What an order needs */
export const messages = {
  noCart: 'No cart available. Please try again.',
  noAddress: 'Please select or add a delivery address.',
  noCustomer: 'Please provide a customer name.',
  noUser: 'User information is missing. Please log in again.',
  fillInAddress: 'Please fill in all address fields',
  created: 'Order created successfully',
  notCreated: 'Failed to create order',
  unpaid: 'Your order is waiting for payment.',
  failed: 'Order creation failed. Please try again.',
  cartUnsent: "Some cart changes didn't reach the shop. Check your cart and try again.",
  totalChanged: (before: string, now: string) => `The total changed from ${before} to ${now}`,
  methodGone: 'That delivery option is no longer available. Check the new total.',
  pickAddress: 'Choose an address',
  chooseAddress: 'Choose an address to see delivery and tax.',
  addNote: 'Add delivery instructions',
  receipt: (email: string) => `We'll send it to ${email}, with tracking when your order ships.`,
  securely: "You'll pay securely on the next page.",
  leaving: 'Taking you to payment…',
  showAll: (count: number) => `Show all ${count} products`,
  addedLater: 'Delivery and tax are calculated at checkout',
  replaced: (code: string, before: string) => `${code} replaces ${before}.`,
  noDelivery: (state: string) => `We don't ship to ${state} yet`,
  quoteOrder: { success: 'Quote', failure: "We couldn't calculate the total. Try again." },
  noUrlInAnswer: 'Payment URL not found in server response',
  noPaymentUrl: 'Order created but payment URL not found. Please contact support.',
} as const;

/** Maximum length of a delivery note, in characters. The contract has the same limit. */
export const deliveryNoteLength = 200;

/**
 * How long 'Order created successfully' is shown before the browser leaves for the payment page.
 * Rule: docs/rules/orders-and-payment.md, The checkout page
 */
export const payAfterMs = 1000;

export interface OrderDraft {
  cartId: string | undefined;
  address: object | undefined;
  customer: string | undefined;
  userId: string | undefined;
}

/**
 * Finds the first reason why an order cannot be placed, in the order of the rule.
 * @returns the message to show; undefined when nothing is missing
 * Rule: docs/rules/orders-and-payment.md, What an order needs
 */
export function whyNotPlaceable({ cartId, address, customer, userId }: OrderDraft): string | undefined {
  if (!cartId) return messages.noCart;
  if (!address) return messages.noAddress;
  if (!customer?.trim()) return messages.noCustomer;
  if (!userId) return messages.noUser;
  return undefined;
}
