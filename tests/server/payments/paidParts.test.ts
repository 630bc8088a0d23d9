import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { paidPartsOf } from '../../../src/server/payments/chargedParts';
import { openPayments, type SessionRequest } from '../../../src/server/payments/provider';
import { SessionRefused } from '../../../src/server/payments/providerErrors';
import { isNightly } from '../../support/nightly';
import { openOwnShop, type TestShop } from '../../support/shop';

/** How delivery, tax and a discount reach the payment provider. */
const nothing = { delivery: null, tax: null, discount: null };
const request: SessionRequest = {
  orderId: '11111111-1111-4111-8111-111111111111',
  attempt: 1,
  userId: '22222222-2222-4222-8222-222222222222',
  cartId: '33333333-3333-4333-8333-333333333333',
  email: 'ana@example.com',
  lines: [
    { name: 'Jollof & <thyme> +50%', unitPriceCents: 1250, quantity: 2 },
    { name: 'Suya box', unitPriceCents: 649, quantity: 1 },
  ],
  expiresAt: new Date('2030-01-02T03:04:05.678Z'),
  ...nothing,
};
const delivery = { name: 'Delivery: Standard', cents: 499 };
const tax = { name: 'Sales tax (GA 4%)', cents: 86 };
const discount = { code: 'WELCOME10', cents: 1000 };

/**
 * The request of an order with none of these, as in earlier releases: providers recognize a repetition by its bytes.
 */
const plainBytes =
  'mode=payment&allowed_payment_method_types[0]=card&client_reference_id=11111111-1111-4111-8111-111111111111' +
  '&metadata[order_id]=11111111-1111-4111-8111-111111111111' +
  '&payment_intent_data[metadata][order_id]=11111111-1111-4111-8111-111111111111&customer_email=ana%40example.com' +
  '&line_items[0][quantity]=2&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=1250' +
  '&line_items[0][price_data][product_data][name]=Jollof%20%26%20%3Cthyme%3E%20%2B50%25' +
  '&line_items[1][quantity]=1&line_items[1][price_data][currency]=usd&line_items[1][price_data][unit_amount]=649' +
  '&line_items[1][price_data][product_data][name]=Suya%20box&expires_at=1893553445' +
  '&success_url=https%3A%2F%2Fshop.example%2Fcustomer%2Forder%2Fsuccess%3Fsession_id%3D%7BCHECKOUT_SESSION_ID%7D' +
  '%26user_id%3D22222222-2222-4222-8222-222222222222%26cart_id%3D33333333-3333-4333-8333-333333333333' +
  '&cancel_url=https%3A%2F%2Fshop.example%2Fcart';

/** A provider that records its requests, byte for byte. */
async function openRecorder() {
  const calls: { path: string | undefined; key: string | undefined; body: string }[] = [];
  const server = createServer((asked, answer) => {
    let body = '';
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
    asked.on('end', () => {
      calls.push({ path: asked.url, key: asked.headers['idempotency-key'] as string | undefined, body });
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"cs_test_1","status":"open"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const apiUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const keys = { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' };
  return { calls, payments: openPayments({ ...keys, apiUrl, publicUrl: new URL('https://shop.example') }) };
}

describe('an order sends to the provider', () => {
  test('its lines alone, with unchanged bytes, where it has no delivery, tax or discount', async () => {
    const { calls, payments } = await openRecorder();
    await payments.openSession(request);
    const key = 'order-11111111-1111-4111-8111-111111111111-1';
    expect(calls).toEqual([{ path: '/v1/checkout/sessions', key, body: plainBytes }]);
  });

  test('the coupon of its discount first, then its lines, delivery, tax and that coupon', async () => {
    const { calls, payments } = await openRecorder();
    await payments.openSession({ ...request, delivery, tax, discount });
    expect(calls.map(({ path }) => path)).toEqual(['/v1/coupons', '/v1/checkout/sessions']);
    const [coupon, session] = calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(coupon).toEqual({
      id: `order-${request.orderId}`,
      amount_off: '1000',
      currency: 'usd',
      duration: 'once',
      name: 'WELCOME10',
      'metadata[order_id]': request.orderId,
    });
    expect(session).toMatchObject({
      'line_items[1][price_data][product_data][name]': 'Suya box',
      'line_items[2][price_data][product_data][name]': 'Delivery: Standard',
      'line_items[2][price_data][unit_amount]': '499',
      'line_items[2][quantity]': '1',
      'line_items[3][price_data][product_data][name]': 'Sales tax (GA 4%)',
      'line_items[3][price_data][unit_amount]': '86',
      'discounts[0][coupon]': `order-${request.orderId}`,
    });
    expect(calls[1]?.body.startsWith(plainBytes.slice(0, plainBytes.indexOf('&expires_at')))).toBe(true);
  });

  const unpriced = {
    deliveryCents: 0,
    deliveryName: null,
    taxCents: 0,
    taxState: null,
    taxRatePpm: null,
    discountCents: 0,
    discountCode: null,
  };
  const parts: [of: object, are: object][] = [
    [{}, nothing],
    [{ deliveryCents: 0, deliveryName: 'Standard', taxCents: 0, discountCents: 0, discountCode: 'FREE' }, nothing],
    [
      { deliveryCents: 499, deliveryName: 'Standard' },
      { ...nothing, delivery },
    ],
    [
      { taxCents: 86, taxState: 'GA', taxRatePpm: 40_000 },
      { ...nothing, tax },
    ],
    [
      { taxCents: 86, taxState: 'GA', taxRatePpm: 72_500 },
      { ...nothing, tax: { name: 'Sales tax (GA 7.25%)', cents: 86 } },
    ],
    [
      { discountCents: 1000, discountCode: 'WELCOME10' },
      { ...nothing, discount },
    ],
  ];
  test.each(parts)('what its row says: %j', (row, expected) => {
    expect(paidPartsOf({ ...unpriced, ...row })).toEqual(expected);
  });
});

describe('at the provider an order with delivery, tax and a discount', () => {
  let shop: TestShop;
  let stripe: Stripe;
  beforeAll(async () => {
    shop = await openOwnShop();
    const { hostname: host, port } = new URL(shop.sandbox.url);
    stripe = new Stripe(shop.sandboxKeys.secretKey, { host, port, protocol: 'http', telemetry: false });
  });
  beforeEach(() => shop.control('deliveries', { mode: 'drop' })); // none of these orders is the shop's
  afterAll(() => shop.close());

  const priced = (changes: Partial<SessionRequest> = {}): SessionRequest => {
    const expiresAt = new Date(shop.clock.now().getTime() + 31 * 60_000);
    return { ...request, orderId: randomUUID(), expiresAt, delivery, tax, discount, ...changes };
  };
  const ofOrder = async ({ orderId }: SessionRequest) => {
    const { coupons, sessions } = (await shop.control('ledger')) as {
      coupons: Stripe.Coupon[];
      sessions: Stripe.Checkout.Session[];
    };
    return {
      coupons: coupons.filter(({ metadata }) => metadata?.['order_id'] === orderId),
      sessions: sessions.filter((session) => session.client_reference_id === orderId),
    };
  };
  const failure = (opening: Promise<unknown>) => opening.then(() => undefined).catch((error: unknown) => error);

  test('costs its goods less the discount plus delivery and tax, and the response has both sums', async () => {
    const session = await shop.payments.openSession(priced());
    expect(session).toMatchObject({ amountCents: 2734, discountCents: 1000, currency: 'usd', status: 'open' });
    const { data } = await stripe.checkout.sessions.listLineItems(session.id);
    expect(data.map(({ description }) => description).slice(2)).toEqual(['Delivery: Standard', 'Sales tax (GA 4%)']);
    await shop.control('pay', { session: session.id });
    expect(await shop.payments.findSession(session.id)).toMatchObject({
      isPaid: true,
      amountCents: 2734,
      discountCents: 1000,
    });
  });

  test('requested again is the same session with the same coupon', async () => {
    const order = priced();
    const [first, twin] = await Promise.all([shop.payments.openSession(order), shop.payments.openSession(order)]);
    expect(twin.id).toBe(first.id);
    expect((await shop.payments.openSession(order)).id).toBe(first.id);
    expect(await ofOrder(order)).toMatchObject({ coupons: [{ amount_off: 1000 }], sessions: [{ id: first.id }] });
  });

  test('that got a coupon but no session reuses that coupon in the next attempt', async () => {
    const order = priced();
    await shop.control('fault', { kind: '503', next: 2, on: 'POST /v1/checkout/sessions' });
    expect(await failure(shop.payments.openSession(order))).toBeInstanceOf(Error);
    const { coupons } = await ofOrder(order);
    expect(coupons).toHaveLength(1);
    expect(await ofOrder(order)).toMatchObject({ sessions: [] });
    const next = await shop.payments.openSession({ ...order, attempt: 2 });
    expect(next).toMatchObject({ amountCents: 2734, discountCents: 1000 });
    expect(await ofOrder(order)).toMatchObject({ coupons, sessions: [{ id: next.id }] });
  });

  const kinds = isNightly
    ? ['500', '429', '409', '503', 'reset_before', 'reset_after', 'bad_json']
    : ['reset_after', 'bad_json'];
  test.each(kinds)(
    'whose coupon is answered with %s has no session yet, and the next attempt opens it',
    async (kind) => {
      const order = priced();
      const next = kind === 'bad_json' ? 1 : 2; // the SDK tries twice, but not after nonsense
      await shop.control('fault', { kind, next, on: 'POST /v1/coupons' });
      expect(await failure(shop.payments.openSession(order))).toMatchObject({
        status: 502,
        code: 'payment_unavailable',
      });
      expect(await ofOrder(order)).toMatchObject({ sessions: [] });
      expect(await shop.payments.openSession(order)).toMatchObject({ amountCents: 2734, discountCents: 1000 });
      const { coupons, sessions } = await ofOrder(order);
      expect([coupons.length, sessions.length]).toEqual([1, 1]);
    },
  );

  test('whose coupon the provider rejects fails for good, and nothing can be paid', async () => {
    const order = priced({ discount: { code: 'X'.repeat(41), cents: 1000 } });
    expect(await failure(shop.payments.openSession(order))).toBeInstanceOf(SessionRefused);
    expect(await ofOrder(order)).toEqual({ coupons: [], sessions: [] });
  });
});
