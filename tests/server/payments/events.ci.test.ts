import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alarms, paymentEvents, paymentSessions } from '../../../src/server/db/schema/tables';
import { buy, openOrder, statusOf } from '../../support/buying';
import { openOwnShop, type TestShop } from '../../support/shop';

/** Abnormal input to the webhook. The provider's own deliveries are dropped. */
let shop: TestShop;
let stripe: Stripe;
beforeAll(async () => {
  shop = await openOwnShop();
  const { hostname: host, port } = new URL(shop.sandbox.url);
  stripe = new Stripe(shop.sandboxKeys.secretKey, { host, port, protocol: 'http', telemetry: false });
  await shop.control('deliveries', { mode: 'drop' });
});
afterAll(() => shop.close());

const { generateTestHeaderString } = Stripe.webhooks;
const sign = (payload: string, secret = shop.sandboxKeys.webhookSecret, timestamp = Math.floor(Date.now() / 1000)) =>
  generateTestHeaderString({ payload, secret, timestamp });
const deliver = (body: string, signature: string | undefined = sign(body)) =>
  shop.call('receivePaymentEvent', {
    headers: { 'content-type': 'application/json', ...(signature !== '' && { 'stripe-signature': signature }) },
    body,
  });

type Told = { id?: string; type?: string; livemode?: boolean; session?: string };
const event = ({
  id = `evt_${randomUUID()}`,
  type = 'checkout.session.completed',
  livemode = false,
  session,
}: Told) => ({
  id,
  object: 'event',
  api_version: '2026-10-28.endive',
  type,
  livemode,
  data: { object: { id: session ?? 'cs_test_unknown', object: 'checkout.session', payment_status: 'paid' } },
});
const stored = async (id: string) => (await shop.db.select().from(paymentEvents).where(eq(paymentEvents.id, id)))[0];

const rejections = async () =>
  (await shop.db.select().from(alarms).where(eq(alarms.kind, 'event_refused'))).map(({ about }) => about);

/** An order whose payment the provider has and the shop has not heard of. */
async function paidUntold() {
  const order = await openOrder(shop);
  await buy(shop, order);
  const told = event({ session: order.sessionId });
  return { ...order, told, payload: JSON.stringify(told) };
}

describe('the signature', () => {
  const old = () => Math.floor(Date.now() / 1000) - 301;
  const wrong: [string, (payload: string) => Promise<{ body: string; signature: string }>][] = [
    ['none', async (body) => ({ body, signature: '' })],
    ['nonsense', async (body) => ({ body, signature: 'nonsense' })],
    ['one without a time', async (body) => ({ body, signature: sign(body).replace(/t=\d+,/, '') })],
    ['another secret’s', async (body) => ({ body, signature: sign(body, 'whsec_another') })],
    ['one of 301 seconds ago', async (body) => ({ body, signature: sign(body, undefined, old()) })],
    ['one for another body', async (body) => ({ body, signature: sign(body.replace('completed', 'expired')) })],
    [
      'one for the same JSON, written anew',
      async (body) => ({ body: JSON.stringify(JSON.parse(body), null, 1), signature: sign(body) }),
    ],
    ['one with another time', async (body) => ({ body, signature: sign(body).replace(/t=\d+/, `t=${old() + 302}9`) })],
    ['of the old scheme alone', async (body) => ({ body, signature: sign(body).replace('v1=', 'v0=') })],
  ];
  test.each(wrong)('of %s is rejected without a reason, and has no effect', async (_, forge) => {
    const { orderId, told, payload } = await paidUntold();
    const { body, signature } = await forge(payload);
    expect(await deliver(body, signature)).toMatchObject({
      status: 400,
      code: 'invalid_signature',
      message: "The event's signature couldn't be verified",
      errors: [],
    });
    expect(await stored(told.id)).toBeUndefined();
    expect(await statusOf(shop, orderId)).toBe('PENDING_PAYMENT');
  });

  test('with two schemes of which one is right is accepted, also while the secret is rotated', async () => {
    for (const forged of ['v1=00ff', sign('x', 'whsec_former').replace(/t=\d+,/, '')]) {
      const { orderId, payload } = await paidUntold();
      const [time, right] = sign(payload).split(',');
      expect((await deliver(payload, `${time},${forged},${right}`)).status).toBe(200);
      expect(await statusOf(shop, orderId)).toBe('PAID');
    }
  });

  test.each(['[]', 'null', '"x"'])('over %s, which is no object, proves nothing', async (body) => {
    expect((await deliver(body)).status).toBe(400);
  });
});

describe('a signed event', () => {
  test('of another mode is stored and rejected', async () => {
    const { orderId, sessionId } = await paidUntold();
    const told = event({ session: sessionId, livemode: true });
    expect((await deliver(JSON.stringify(told))).status).toBe(200);
    expect(await stored(told.id)).toMatchObject({ outcome: 'refused', reason: 'test/live mode mismatch' });
    expect(await statusOf(shop, orderId)).toBe('PENDING_PAYMENT');
    const alarm = shop.logLines.find((line) => line.includes(told.id));
    expect(JSON.parse(alarm ?? '')).toMatchObject({ level: 40, outcome: 'refused', reason: 'test/live mode mismatch' });
  });

  test('of a session that the provider does not know is stored and rejected', async () => {
    for (const session of ['cs_test_unknown', '../../refunds', 'x'.repeat(1000), '']) {
      const told = event({ session });
      expect((await deliver(JSON.stringify(told))).status).toBe(200);
      expect(await stored(told.id)).toMatchObject({ outcome: 'refused', reason: 'unknown session', orderId: null });
    }
  });

  const senseless = [
    {},
    { id: 'evt_no_type', data: { object: { id: 'cs_test_1' } } },
    { type: 'no.id', livemode: false, data: { object: {} } },
    { id: 'evt_no_data', type: 'checkout.session.completed', livemode: false },
    { id: 'evt_null_data', type: 'refund.created', livemode: false, data: null },
    { id: 'evt_text_data', type: 'charge.refunded', livemode: false, data: { object: 'x' } },
    { id: 'evt_\u0000', type: 'x\u0000', livemode: false, data: { object: {} } },
    { id: 7, type: ['a'], data: { object: { metadata: 'x', last_payment_error: 7 } } },
    { id: 'evt_next', type: 'x', object: 'v2.core.event' },
  ];
  test.each(senseless)('that makes no sense is stored and shown, and not sent again: %j', async (told) => {
    const before = await rejections();
    expect((await deliver(JSON.stringify(told))).status).toBe(200);
    expect((await deliver(JSON.stringify(told))).status).toBe(200);
    const shown = (await rejections()).filter((about) => !before.includes(about));
    expect(shown).toHaveLength(1);
    expect(await stored(shown[0]?.slice('event:'.length) ?? '')).toMatchObject({
      outcome: 'refused',
      reason: 'unrecognized event',
    });
  });

  type Foreign = { amount?: number; off?: number; currency?: string; of?: string; isKnown?: boolean };
  const foreign: [reason: string, what: Foreign][] = [
    ['different amount', { amount: 50 }],
    ['different amount', { amount: 451 }],
    ['different discount', { amount: 550, off: 100 }],
    ['different currency', { currency: 'eur' }],
    ['a different session for this order', { isKnown: true }],
    ['unknown reference', { of: randomUUID() }],
    ['unknown reference', { of: "1' or '1'='1" }],
  ];
  test.each(foreign)('of a paid session with %s is stored and rejected: %j', async (reason, what) => {
    const { amount = 450, off, currency = 'usd', of, isKnown = false } = what;
    const { orderId } = await openOrder(shop, { priceCents: 450 });
    if (!isKnown)
      await shop.db
        .update(paymentSessions)
        .set({ sessionId: null, url: null, state: 'creating' })
        .where(eq(paymentSessions.orderId, orderId));
    const coupon = off && (await stripe.coupons.create({ amount_off: off, currency }));
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      client_reference_id: of ?? orderId,
      ...(coupon && { discounts: [{ coupon: coupon.id }] }),
      line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: 'Pepper' } } }],
      success_url: 'https://another.shop.test/',
    });
    await buy(shop, { sessionId: session.id });
    const told = event({ session: session.id });
    expect((await deliver(JSON.stringify(told))).status).toBe(200);
    expect(await stored(told.id)).toMatchObject({ outcome: 'refused', reason, orderId: of ? null : orderId });
    expect(await statusOf(shop, orderId)).toBe('PENDING_PAYMENT');
  });

  test.each(['customer.created', 'payment_intent.succeeded', 'charge.refunded', 'a.type.of.next.year'])(
    '%s is stored and ignored',
    async (type) => {
      const told = { ...event({ type }), data: { object: { id: 'pi_1', object: 'payment_intent' } } };
      expect((await deliver(JSON.stringify(told))).status).toBe(200);
      expect(await stored(told.id)).toMatchObject({ type, outcome: 'ignored', reason: null });
    },
  );

  test('that says a paid session expired, or a future type about it, reverts nothing', async () => {
    const { orderId, sessionId, payload } = await paidUntold();
    await deliver(payload);
    for (const type of ['checkout.session.expired', 'checkout.session.next_year', 'checkout.session.completed'])
      expect((await deliver(JSON.stringify(event({ type, session: sessionId })))).status).toBe(200);
    expect(await statusOf(shop, orderId)).toBe('PAID');
  });
});
