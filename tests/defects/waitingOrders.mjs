/**
 * Defects of an order that waits for a connection, as in defects.mjs.
 *
 * @type {import('./defects.mjs').Place[]}
 */
export const ofWaitingOrders = [
  {
    name: 'an order that waits: its page orders without a press',
    file: 'src/web/checkout/ReadyOrderPage.tsx',
    find: `  if (!cart || !quote || !(isFresh || isProcessing))`,
    put: `  useEffect(() => {
    if (isFresh) placing.submit();
  }, [isFresh]);
  if (!cart || !quote || !(isFresh || isProcessing))`,
    caughtBy: ['web/checkout/waitingPages.test'],
  },
  {
    name: 'an order that waits: a double press asks for two orders',
    file: 'src/web/checkout/usePlacing.ts',
    find: `if (isProcessing || isSending.current) return;`,
    put: `if (isProcessing) return;`,
    caughtBy: ['web/checkout/waitingPages.test'],
  },
  {
    name: 'an order that waits: its press orders at a total that nobody was shown',
    file: 'src/web/checkout/usePlacing.ts',
    find: `    expectedTotal: quote.total,`,
    put: ``,
    caughtBy: ['web/checkout/waiting.test'],
  },
  {
    name: 'an order that waits: its press orders at more than the Subtotal that was shown',
    file: 'src/web/checkout/usePlacing.ts',
    find: `return { expectedTotal: fromCents(subtotalCents(cart.cartItems)) };`,
    put: `return {};`,
    caughtBy: ['web/checkout/waiting.test'],
  },
  {
    name: 'an order that waits: it is ordered after another tab has put another in its place',
    file: 'src/web/waiting/intent.ts',
    find: `if (kept?.id !== intent.id) throw`,
    put: `if (!kept) throw`,
    caughtBy: ['web/checkout/waitingProperty.test'],
  },
  {
    name: 'an order that waits: its 24 hours go by the clock of the device',
    file: 'src/web/waiting/intent.ts',
    find: `if (!isOver(intent, serverMs ?? Date.now())) {`,
    put: `if (!isOver(found, Date.now())) {`,
    caughtBy: ['web/checkout/waiting.test'],
  },
  {
    name: 'an order that waits: it is still there after the logout',
    file: 'src/web/device/kitchen.ts',
    find: `lists.delete(userId), intents.delete(userId), changes`,
    put: `lists.delete(userId), changes`,
    caughtBy: ['web/checkout/waiting.test', 'web/checkout/waitingProperty.test'],
  },
];
