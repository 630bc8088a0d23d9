import { randomUUID } from 'node:crypto';
import { chromium, type Browser, type Page } from 'playwright';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionRequest } from '../../src/server/payments/provider';
import { SessionRefused } from '../../src/server/payments/providerErrors';
import { placeOrder, signatureOf } from '../support/buying';
import { openOwnShop, publicUrl, type Person, type TestShop } from '../support/shop';

/**
 * The whole way of a payment at the real provider, in its test mode: the proof that the shop's own test provider is a
 * true copy. With STRIPE_SECRET_KEY=sandbox the same test runs against that copy.
 */
const { STRIPE_SECRET_KEY: key = '', SHOP_BROWSER } = process.env;
const isCopy = key === 'sandbox';

let shop: TestShop;
let stripe: Stripe;
let browser: Browser;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop(isCopy ? {} : { stripeKey: key });
  const { hostname: host, port } = new URL(shop.sandbox.url);
  stripe = isCopy ? new Stripe(shop.sandboxKeys.secretKey, { host, port, protocol: 'http' }) : new Stripe(key);
  browser = await chromium.launch({ ...(SHOP_BROWSER && { executablePath: SHOP_BROWSER }), args: ['--no-sandbox'] });
  ana = await shop.signIn({ email: 'buyer@example.com' });
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

async function order(units = 2) {
  const { id: productId } = await shop.stock({ priceCents: 450, quantity: 9 });
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId, quantity: units } });
  const { data, status } = await placeOrder(shop, ana);
  expect(status).toBe(201);
  return { ...data, sessionId: /cs_test_\w+/.exec(data.paymentUrl)?.[0] ?? '' };
}
const statusOf = async (orderId: string) =>
  (await shop.call('getOrder', { as: ana, path: { orderId } })).data.orderResponse.orderStatus;

/** The fields have other names at the provider than in the copy. */
async function payWith(page: Page, card: string): Promise<void> {
  const fill = (selector: string, value: string) => page.locator(selector).first().fill(value);
  await fill('#cardNumber, [name=cardNumber]', card);
  await fill('#cardExpiry, [name=expiry]', '12 / 40');
  await fill('#cardCvc, [name=cvc]', '123');
  await fill('#billingName, [name=name]', 'Test Payer');
  await fill('#billingPostalCode, [name=zip]', '30303');
  await page.locator('.SubmitButton, button[type=submit]').first().click();
}

test('a purchase: the page, a declined card, a paid one, the return, a refund', async () => {
  const { orderId, paymentUrl } = await order();
  expect((await placeOrder(shop, ana)).data.paymentUrl).toBe(paymentUrl); // the same click, the same session

  const page = await browser.newPage();
  await page.route(`${publicUrl.origin}/**`, (route) => route.fulfill({ body: 'Back in the shop' }));
  await page.goto(paymentUrl);
  await payWith(page, '4000 0000 0000 0002');
  await page
    .getByText(/declined/i)
    .first()
    .waitFor();
  expect(await statusOf(orderId)).toBe('PENDING_PAYMENT');
  await payWith(page, '4242 4242 4242 4242');
  await page.waitForURL(`${publicUrl.origin}/customer/order/success**`, { timeout: 60_000 });
  const back = Object.fromEntries(new URL(page.url()).searchParams);
  await page.close();

  const captured = await shop.call('capturePayment', { as: ana, query: back });
  expect(captured.data.payment).toMatchObject({ orderId, orderStatus: 'PAID', totalAmount: 9 });

  const refund = (body: object) =>
    shop.call('refundOrder', { as: admin, path: { orderId }, body: { reason: 'Test', ...body } });
  expect((await refund({ amount: 4.5 })).data.orderResponse).toMatchObject({
    orderStatus: 'PAID',
    refundedAmount: 4.5,
  });
  expect((await refund({})).data.orderResponse).toMatchObject({ orderStatus: 'REFUNDED', refundedAmount: 9 });
  const { paymentIntentId = '' } = (await shop.payments.findSession(back['session_id'] ?? '')) ?? {};
  const made = await shop.payments.listRefunds(paymentIntentId);
  expect(made.map(({ amountCents }) => amountCents)).toEqual([450, 450]);
  expect(await shop.payments.findSessionIdOf(paymentIntentId)).toBe(back['session_id']);
});

test('an order with a discount, delivery and tax: lines, coupon, what is paid, what is given back', async () => {
  const asked: SessionRequest = {
    orderId: randomUUID(), // none of the shop's: this is about what the provider makes of it
    attempt: 1,
    userId: ana.userId,
    cartId: ana.cartId,
    email: 'buyer@example.com',
    expiresAt: new Date(Date.now() + 31 * 60_000),
    lines: [
      { name: 'Pepper', unitPriceCents: 450, quantity: 3 },
      { name: 'Salt', unitPriceCents: 199, quantity: 1 },
    ],
    delivery: { name: 'Delivery: Standard', cents: 499 },
    tax: { name: 'Sales tax (GA 4%)', cents: 42 },
    discount: { code: 'X'.repeat(40), cents: 500 }, // the longest code that there is
  };
  const opened = await shop.payments.openSession(asked);
  expect(opened).toMatchObject({ amountCents: 1590, discountCents: 500, currency: 'usd', status: 'open' });
  expect((await shop.payments.openSession(asked)).id).toBe(opened.id);
  const coupon = await stripe.coupons.retrieve(`order-${asked.orderId}`);
  expect(coupon).toMatchObject({ amount_off: 500, currency: 'usd', duration: 'once', valid: true });
  const again = stripe.coupons.create({ id: coupon.id, amount_off: 500, currency: 'usd', duration: 'once' });
  await expect(again).rejects.toMatchObject({ statusCode: 400, code: 'resource_already_exists' });
  const unknown = shop.payments.openSession({
    ...asked,
    orderId: randomUUID(),
    discount: { code: 'X'.repeat(41), cents: 1 },
  });
  await expect(unknown).rejects.toBeInstanceOf(SessionRefused);

  const session = await stripe.checkout.sessions.retrieve(opened.id, { expand: ['total_details.breakdown'] });
  expect(session).toMatchObject({
    amount_subtotal: 2090,
    discounts: [{ coupon: coupon.id }],
    total_details: { amount_discount: 500, breakdown: { discounts: [{ amount: 500 }] } },
  });
  const { data: items } = await stripe.checkout.sessions.listLineItems(opened.id);
  expect(items.map(({ amount_subtotal }) => amount_subtotal)).toEqual([1350, 199, 499, 42]);
  expect(items.reduce((sum, item) => sum + item.amount_discount, 0)).toBe(500);

  const page = await browser.newPage();
  await page.route(`${publicUrl.origin}/**`, (route) => route.fulfill({ body: 'Back in the shop' }));
  await page.goto(opened.url ?? '');
  for (const shown of ['Delivery: Standard', 'Sales tax (GA 4%)', '$15.90'])
    await page.getByText(shown, { exact: false }).first().waitFor();
  await payWith(page, '4242 4242 4242 4242');
  await page.waitForURL(`${publicUrl.origin}/customer/order/success**`, { timeout: 60_000 });
  await page.close();
  const paid = await shop.payments.findSession(opened.id);
  expect(paid).toMatchObject({ isPaid: true, amountCents: 1590, discountCents: 500 });

  const { paymentIntentId = '' } = paid ?? {};
  const { orderId } = asked;
  await shop.payments.refund({ refundId: randomUUID(), orderId, paymentIntentId, amountCents: 1590, attempt: 0 });
  const made = await shop.payments.listRefunds(paymentIntentId);
  expect(made.map(({ amountCents }) => amountCents)).toEqual([1590]);
});

test('an ended session cannot be paid, and the sweeper ends its order', async () => {
  const { orderId, sessionId, paymentUrl } = await order(1);
  expect((await shop.payments.expireSession(sessionId))?.status).toBe('expired');
  await shop.jobs.sweepPayments();
  expect(await statusOf(orderId)).toBe('CANCELLED');
  const page = await browser.newPage();
  await page.goto(paymentUrl);
  await page
    .getByText(/expired|no longer active|timed out/i)
    .first()
    .waitFor();
  await page.close();
});

test('the events that the provider keeps are understood as it wrote them', async () => {
  const { data: events } = await stripe.events.list({ limit: 50 });
  expect(events.map(({ type }) => type)).toContain('checkout.session.completed');
  for (const event of events) {
    const payload = JSON.stringify(event);
    const signature = signatureOf(shop, payload);
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    expect((await shop.call('receivePaymentEvent', { headers, body: payload })).status).toBe(200);
  }
});
