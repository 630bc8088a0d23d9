import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  cardForm,
  goodCard,
  idOf,
  openMerchant,
  openSandbox,
  orderOf,
  secretKey,
  sendForm,
  until,
} from './openSandbox';
import { expectOnWire } from './schemas';

const tenOff: Stripe.CouponCreateParams = {
  id: 'order-1',
  amount_off: 1000,
  currency: 'usd',
  duration: 'once',
  name: 'WELCOME10',
  metadata: { order_id: 'o1' },
};
const withCoupon = (changes: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  orderOf({ discounts: [{ coupon: 'order-1' }], ...changes });
const line = (name: string, unit_amount: number, quantity = 1) => ({
  quantity,
  price_data: { currency: 'usd', unit_amount, product_data: { name } },
});

async function openWithCoupon(changes: Partial<Stripe.CouponCreateParams> = {}) {
  const sandbox = await openSandbox();
  await sandbox.stripe.coupons.create({ ...tenOff, ...changes });
  return sandbox;
}

describe('a coupon', () => {
  test('takes an amount off, and is found by its given id', async () => {
    const { stripe } = await openSandbox();
    const coupon = await stripe.coupons.create(tenOff);
    expectOnWire('coupon', coupon);
    expect(coupon).toMatchObject({
      id: 'order-1',
      amount_off: 1000,
      currency: 'usd',
      duration: 'once',
      max_redemptions: null,
      metadata: { order_id: 'o1' },
      name: 'WELCOME10',
      times_redeemed: 0,
      valid: true,
    });
    expect(await stripe.coupons.retrieve('order-1')).toEqual(expect.objectContaining({ ...coupon }));
  });

  test('gets an id from the provider when it has none', async () => {
    const { stripe } = await openSandbox();
    const { id } = await stripe.coupons.create({ amount_off: 1, currency: 'USD' });
    expect(id).toMatch(/^[A-Za-z0-9]{8}$/);
    expect(await stripe.coupons.retrieve(id)).toMatchObject({ currency: 'usd', duration: 'once', name: null });
  });

  test('is created once: a second one of the same id is rejected, and the first one stays unchanged', async () => {
    const { stripe } = await openWithCoupon();
    const error: unknown = await stripe.coupons
      .create({ ...tenOff, amount_off: 5 })
      .catch((rejection: unknown) => rejection);
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject({
      statusCode: 400,
      code: 'resource_already_exists',
      message: 'Coupon already exists.',
      param: undefined,
    });
    expect(await stripe.coupons.retrieve('order-1')).toMatchObject({ amount_off: 1000 });
  });

  test('that was never created is not found', async () => {
    const { stripe, url } = await openSandbox();
    await expect(stripe.coupons.retrieve('NOPE')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
      code: 'resource_missing',
      param: 'coupon',
      message: "No such coupon: 'NOPE'",
    });
    const raw = await fetch(`${url}/v1/coupons/NOPE`, { headers: { Authorization: `Bearer ${secretKey}` } });
    expectOnWire('error', await raw.json());
  });

  test('requested again under the same key is the first response; that key allows no other request', async () => {
    const { stripe, control } = await openSandbox();
    const first = await stripe.coupons.create(tenOff, { idempotencyKey: 'k' });
    const again = await stripe.coupons.create(tenOff, { idempotencyKey: 'k' });
    expect(again).toEqual(expect.objectContaining({ ...first }));
    const other = stripe.coupons.create({ ...tenOff, amount_off: 5 }, { idempotencyKey: 'k' });
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(await control('ledger')).toMatchObject({ coupons: [{ id: 'order-1' }] });
  });

  test('whose response was lost on a cut connection exists', async () => {
    const { stripe, control } = await openSandbox();
    await control('fault', { kind: 'reset_after', next: 2, on: 'POST /v1/coupons' });
    const lost = stripe.coupons.create(tenOff, { idempotencyKey: 'k' });
    await expect(lost).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(await stripe.coupons.create(tenOff, { idempotencyKey: 'k' })).toMatchObject({ id: 'order-1' });
  });

  test('that was created is listed, like everything else', async () => {
    const merchant = await openMerchant();
    const { stripe } = await openSandbox({ webhookUrl: merchant.url });
    await stripe.coupons.create(tenOff);
    await until(() => merchant.posts.length > 0);
    const [event] = merchant.events();
    expectOnWire('event', event);
    expectOnWire('coupon', event?.data.object);
    expect(event).toMatchObject({ type: 'coupon.created', data: { object: { id: 'order-1' } } });
  });

  const refused: [why: string, changes: object, param: string | undefined, code?: string][] = [
    ['no amount', { amount_off: undefined }, undefined, 'parameter_missing'],
    ['an amount of 0', { amount_off: 0 }, 'amount_off', 'parameter_invalid_integer'],
    ['half a cent', { amount_off: 0.5 }, 'amount_off', 'parameter_invalid_integer'],
    ['an amount and a percentage', { percent_off: 10 }, undefined],
    ['a percentage alone', { amount_off: undefined, percent_off: 10 }, 'percent_off'],
    ['no currency', { currency: undefined }, 'currency'],
    ['an unknown currency', { currency: 'zzz' }, 'currency'],
    ['a duration that does not exist', { duration: 'twice' }, 'duration'],
    ['a duration of subscriptions', { duration: 'forever' }, 'duration'],
    ['an id of 501 letters', { id: 'x'.repeat(501) }, 'id'],
    ['an empty id', { id: '' }, 'id', 'parameter_invalid_empty'],
    ['a name of 41 letters', { name: 'x'.repeat(41) }, 'name'],
    ['no use at all', { max_redemptions: 0 }, 'max_redemptions', 'parameter_invalid_integer'],
    ['a metadata value of 501 letters', { metadata: { note: 'x'.repeat(501) } }, 'metadata[note]'],
    ['a parameter that nobody knows', { colour: 'red' }, 'colour', 'parameter_unknown'],
  ];

  test.for(refused)('is rejected with %s', async ([, changes, param, code]) => {
    const { stripe, control } = await openSandbox();
    const error = await stripe.coupons.create({ ...tenOff, ...changes }).catch((rejection: unknown) => rejection);
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject({ statusCode: 400, param, code });
    expect(await control('ledger')).toMatchObject({ coupons: [], events: [] });
  });
});

describe('a session with a coupon', () => {
  test('costs its lines less the amount, and says so in all its parts', async () => {
    const { stripe } = await openWithCoupon();
    const session = await stripe.checkout.sessions.create(withCoupon());
    expectOnWire('checkout_session', session);
    expect(session).toMatchObject({
      amount_subtotal: 3149,
      amount_total: 2149,
      discounts: [{ coupon: 'order-1', promotion_code: null }],
    });
    expect(session.total_details).toEqual({ amount_discount: 1000, amount_shipping: 0, amount_tax: 0 });
  });

  test('returns its coupon on demand', async () => {
    const { stripe } = await openWithCoupon();
    const { id } = await stripe.checkout.sessions.create(withCoupon());
    const expand = ['total_details.breakdown', 'discounts.coupon'];
    const session = await stripe.checkout.sessions.retrieve(id, { expand });
    expectOnWire('checkout_session', session);
    const breakdown = session.total_details?.breakdown;
    expectOnWire('discount', breakdown?.discounts[0]?.discount);
    expect(breakdown).toMatchObject({
      discounts: [{ amount: 1000, discount: { checkout_session: id, source: { coupon: 'order-1', type: 'coupon' } } }],
      taxes: [],
    });
    expectOnWire('coupon', session.discounts?.[0]?.coupon);
    const plain = await stripe.checkout.sessions.create(orderOf(), { idempotencyKey: 'plain' });
    const parts = await stripe.checkout.sessions.retrieve(plain.id, { expand });
    expect(parts).toMatchObject({ discounts: [], total_details: { breakdown: { discounts: [], taxes: [] } } });
    await expect(stripe.checkout.sessions.retrieve(id, { expand: ['total_details.nothing'] })).rejects.toThrow(
      /expanded/,
    );
    await expect(stripe.checkout.sessions.retrieve(id, { expand: ['total_details'] })).rejects.toThrow(/expanded/);
  });

  test.each([1, 3, 7, 1000, 3099])('spreads %i cents over all lines in proportion, to the cent', async (cents) => {
    const { stripe } = await openWithCoupon({ amount_off: cents });
    const lines = [line('Jollof', 333, 3), line('Suya', 649), line('Gift', 0), line('Delivery: Standard', 499)];
    const taxed = [...lines, line('Sales tax (GA 4%)', 1002)];
    const { id } = await stripe.checkout.sessions.create(withCoupon({ line_items: taxed }));
    const { data } = await stripe.checkout.sessions.listLineItems(id);
    expectOnWire('list_of_items', await stripe.checkout.sessions.listLineItems(id));
    expect(data.map(({ description }) => description)).toEqual(
      taxed.map(({ price_data }) => price_data.product_data.name),
    );
    expect(data.reduce((sum, item) => sum + item.amount_discount, 0)).toBe(cents);
    for (const { amount_subtotal, amount_discount, amount_total } of data) {
      expect(amount_total).toBe(amount_subtotal - amount_discount);
      expect(Math.abs(amount_discount - (cents * amount_subtotal) / 3149)).toBeLessThan(1);
      expect(amount_total).toBeGreaterThanOrEqual(0);
    }
    const { line_items } = await stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] });
    expect(line_items?.data).toEqual(data);
  });

  test('is charged, listed and refunded with what it costs', async () => {
    const { stripe } = await openWithCoupon();
    const { id, url } = await stripe.checkout.sessions.create(withCoupon());
    await sendForm(url!, cardForm(goodCard));
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
    const intent = session.payment_intent as Stripe.PaymentIntent;
    expect(intent).toMatchObject({ amount: 2149, amount_received: 2149, latest_charge: { amount: 2149 } });
    const { data } = await stripe.events.list({ type: 'checkout.session.completed' });
    expect(data).toMatchObject([
      { data: { object: { amount_total: 2149, total_details: { amount_discount: 1000 } } } },
    ]);
    const tooMuch = stripe.refunds.create({ payment_intent: intent.id, amount: 2150 });
    await expect(tooMuch).rejects.toThrow(/greater than unrefunded amount/);
    expect(await stripe.refunds.create({ payment_intent: intent.id })).toMatchObject({ amount: 2149 });
    expect(await stripe.charges.retrieve(idOf(intent.latest_charge))).toMatchObject({ refunded: true });
  });

  test('uses the coupon up when it is paid, not when it is opened', async () => {
    const { stripe, control } = await openWithCoupon({ max_redemptions: 1 });
    const { id } = await stripe.checkout.sessions.create(withCoupon());
    expect(await stripe.coupons.retrieve('order-1')).toMatchObject({ times_redeemed: 0, valid: true });
    await control('pay', { session: id });
    await control('pay', { session: id });
    expect(await stripe.coupons.retrieve('order-1')).toMatchObject({ times_redeemed: 1, valid: false });
    await expect(stripe.checkout.sessions.create(withCoupon())).rejects.toMatchObject({
      statusCode: 400,
      code: 'coupon_expired',
      param: 'discounts[0][coupon]',
    });
  });

  test('may cost fifty cents, and not less', async () => {
    const { stripe } = await openWithCoupon({ amount_off: 3099 });
    expect(await stripe.checkout.sessions.create(withCoupon())).toMatchObject({ amount_total: 50 });
    for (const amount_off of [3100, 3149, 9999]) {
      await stripe.coupons.create({ ...tenOff, id: `off-${amount_off}`, amount_off });
      const session = stripe.checkout.sessions.create(withCoupon({ discounts: [{ coupon: `off-${amount_off}` }] }));
      await expect(session).rejects.toMatchObject({ statusCode: 400, code: 'amount_too_small' });
    }
  });

  const euro = [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 5000, product_data: { name: 'Salt' } } }];
  const refused: [why: string, changes: object, param: string, code?: string][] = [
    ['a coupon that nobody made', { discounts: [{ coupon: 'NOPE' }] }, 'discounts[0][coupon]', 'resource_missing'],
    [
      'a promotion code',
      { discounts: [{ promotion_code: 'promo_1' }] },
      'discounts[0][promotion_code]',
      'resource_missing',
    ],
    [
      'a coupon and a promotion code',
      { discounts: [{ coupon: 'order-1', promotion_code: 'x' }] },
      'discounts[0][coupon]',
    ],
    ['two coupons', { discounts: [{ coupon: 'order-1' }, { coupon: 'order-1' }] }, 'discounts'],
    ['a discount without a coupon', { discounts: [{ colour: 'red' }] }, 'discounts[0][coupon]', 'parameter_missing'],
    [
      'an unknown parameter of a discount',
      { discounts: [{ coupon: 'order-1', colour: 'red' }] },
      'discounts[0][colour]',
      'parameter_unknown',
    ],
    ['a text for its discounts', { discounts: 'order-1' }, 'discounts'],
    ['a coupon in another currency', { line_items: euro }, 'discounts[0][coupon]'],
  ];

  test.for(refused)('is rejected with %s', async ([, changes, param, code]) => {
    const { stripe, control } = await openWithCoupon();
    const error = await stripe.checkout.sessions.create(withCoupon(changes)).catch((rejection: unknown) => rejection);
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject({ statusCode: 400, param, code });
    expect(await control('ledger')).toMatchObject({ sessions: [] });
  });
});

test('coupons and their discounts survive a restart, also in a rewritten journal', async () => {
  const { stripe, control, folder, close } = await openWithCoupon();
  const { id } = await stripe.checkout.sessions.create(withCoupon(), { idempotencyKey: 'kept' });
  for (let attempt = 0; attempt < 250; attempt += 1) await control('pay', { session: id, card: '4000 0025 0000 3155' });
  await control('pay', { session: id });
  const before = await control('ledger');
  await close();
  for (let starts = 0; starts < 2; starts += 1) {
    const again = await openSandbox({ folder });
    expect(await again.control('ledger')).toEqual(before);
    expect(await again.stripe.coupons.retrieve('order-1')).toMatchObject({ amount_off: 1000, times_redeemed: 1 });
    await expect(again.stripe.coupons.create(tenOff)).rejects.toMatchObject({ code: 'resource_already_exists' });
    await again.close();
  }
});
