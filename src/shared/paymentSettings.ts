/** Messages of the page Payments in the settings. Rule: docs/rules/back-office.md, Settings */
import { unexpected } from './failures';

export const paymentSettingsMessages = {
  getPaymentStatus: { success: 'Payments', failure: "Couldn't load the state of payments" },
  checkPayments: { success: 'Payments checked', failure: unexpected },
  testMode: 'Test mode',
  liveMode: 'Live',
  testKeys: 'In test mode no real money moves. To take real payments, start the shop with your live keys.',
  testProvider:
    'The shop uses its own test provider, and no real money moves. To take real payments, start the shop with your Stripe keys: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
  live: 'Customers pay with real money.',
  keyOk: (time: string) => `Accepted ${time}`,
  keyWrong: "Your payment provider doesn't know this key. Set STRIPE_SECRET_KEY to the right one and restart the shop.",
  keyUnchecked: "Your payment provider hasn't answered yet. Check again in a minute.",
  webhookSeen: (time: string) => `Last heard ${time}`,
  webhookUnseen: 'Not heard yet. Add the address below at your payment provider, then place a test order.',
  webhookHint: 'Add this address at your payment provider under Developers › Webhooks, with these events:',
} as const;
