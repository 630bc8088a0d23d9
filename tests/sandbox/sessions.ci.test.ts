import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { cardForm, goodCard, idOf, openSandbox, orderOf, secretKey, sendForm, stripeAt } from './openSandbox';
import { expectOnWire } from './schemas';

const line = (changes: Record<string, unknown>, price: Record<string, unknown> = {}) => ({
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Salt' }, ...price },
      ...changes,
    },
  ],
});
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const metadata = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, 'x']));

describe('a checkout session', () => {
  test('opens with the sum of its lines and a page to pay on', async () => {
    const { stripe, url } = await openSandbox();
    const session = await stripe.checkout.sessions.create(orderOf());
    expectOnWire('checkout_session', session);
    expect(session).toMatchObject({
      amount_total: 3149,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      customer_details: null,
      client_reference_id: 'order_1',
      metadata: { order_id: 'o1' },
      livemode: false,
      url: `${url}/c/pay/${session.id}`,
    });
    expect(session.id).toMatch(/^cs_test_[A-Za-z0-9]{22,}$/);
  });

  test('is found by its id, with its lines, payment and charge on demand', async () => {
    const { stripe } = await openSandbox();
    const { id, url } = await stripe.checkout.sessions.create(orderOf());
    await sendForm(url!, cardForm(goodCard));
    const session = await stripe.checkout.sessions.retrieve(id, {
      expand: ['line_items', 'payment_intent.latest_charge'],
    });
    expectOnWire('checkout_session', session);
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      customer_details: { email: 'ana@example.com', name: 'Ana Silva', address: { postal_code: '30301' } },
      line_items: {
        data: [{ description: 'Jollof & <thyme> +50%', quantity: 2, amount_total: 2500 }, { quantity: 1 }],
      },
      payment_intent: {
        status: 'succeeded',
        amount_received: 3149,
        metadata: { order_id: 'o1' },
        latest_charge: { paid: true, payment_method_details: { card: { brand: 'visa', last4: '4242' } } },
      },
    });
    const intent = session.payment_intent as Stripe.PaymentIntent;
    const charge = intent.latest_charge as Stripe.Charge;
    expectOnWire('payment_intent', await stripe.paymentIntents.retrieve(intent.id));
    expectOnWire('charge', await stripe.charges.retrieve(charge.id));
    expectOnWire('list_of_items', await stripe.checkout.sessions.listLineItems(id));
  });

  test('is in the list, newest first, page by page', async () => {
    const { stripe, control } = await openSandbox();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.unshift((await stripe.checkout.sessions.create(orderOf({ client_reference_id: name }))).id);
    }
    await control('pay', { session: ids[1] });
    const first = await stripe.checkout.sessions.list({ limit: 2 });
    expectOnWire('list_of_checkout_sessions', first);
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.has_more).toBe(true);
    const second = await stripe.checkout.sessions.list({ limit: 2, starting_after: ids[1]! });
    expect(second).toMatchObject({ data: [{ id: ids[2] }], has_more: false });
    const before = await stripe.checkout.sessions.list({ limit: 1, ending_before: ids[2]! });
    expect(before).toMatchObject({ data: [{ id: ids[1] }], has_more: true });
    const paid = await stripe.checkout.sessions.list({ status: 'complete', created: { gte: inSeconds(-60) } });
    expect(paid.data.map(({ id }) => id)).toEqual([ids[1]]);
    const intent = idOf(paid.data[0]!.payment_intent);
    expect((await stripe.checkout.sessions.list({ payment_intent: intent })).data).toHaveLength(1);
    expect((await stripe.checkout.sessions.list({ created: { lt: inSeconds(-60) } })).data).toEqual([]);
  });

  test('can be expired while it is open, and only then', async () => {
    const { stripe } = await openSandbox();
    const { id } = await stripe.checkout.sessions.create(orderOf());
    const expired = await stripe.checkout.sessions.expire(id);
    expectOnWire('checkout_session', expired);
    expect(expired).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(id)).rejects.toThrow(/status of expired/);
  });

  test('expires by the clock, with an event', async () => {
    const { stripe, control } = await openSandbox();
    const { id } = await stripe.checkout.sessions.create(orderOf());
    await control('clock', { advanceMs: 30 * 60_000 });
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
    await control('clock', { advanceMs: 60_000 });
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'expired' });
    const { data } = await stripe.events.list({ type: 'checkout.session.expired' });
    expect(data).toMatchObject([{ data: { object: { id, status: 'expired' } } }]);
  });

  const refused: [why: string, changes: object, param: string, code?: string][] = [
    ['no address to return to', { success_url: undefined }, 'success_url', 'parameter_missing'],
    ['an address that is not http', { success_url: 'javascript:alert(1)' }, 'success_url', 'url_invalid'],
    ['a relative address', { success_url: '/success' }, 'success_url', 'url_invalid'],
    ['no lines', { line_items: undefined }, 'line_items', 'parameter_missing'],
    ['101 lines', { line_items: Array.from({ length: 101 }, () => line({}).line_items[0]) }, 'line_items'],
    ['a parameter that nobody knows', { colour: 'red' }, 'colour', 'parameter_unknown'],
    ['an unknown parameter inside', line({ colour: 'red' }), 'line_items[0][colour]', 'parameter_unknown'],
    [
      'half a cent',
      line({}, { unit_amount: 0.5 }),
      'line_items[0][price_data][unit_amount]',
      'parameter_invalid_integer',
    ],
    [
      'a negative price',
      line({}, { unit_amount: -1 }),
      'line_items[0][price_data][unit_amount]',
      'parameter_invalid_integer',
    ],
    ['no price', line({}, { unit_amount: undefined }), 'line_items[0][price_data][unit_amount]', 'parameter_missing'],
    ['49 cents in all', line({}, { unit_amount: 49 }), 'line_items', 'amount_too_small'],
    ['a million dollars', line({ quantity: 2 }, { unit_amount: 99_999_999 }), 'line_items', 'amount_too_large'],
    ['no currency', line({}, { currency: undefined }), 'line_items[0][price_data][currency]', 'parameter_missing'],
    ['an unknown currency', line({}, { currency: 'zzz' }), 'line_items[0][price_data][currency]'],
    [
      'no name',
      line({}, { product_data: { description: 'x' } }),
      'line_items[0][price_data][product_data][name]',
      'parameter_missing',
    ],
    [
      'no product',
      line({}, { product_data: undefined }),
      'line_items[0][price_data][product_data][name]',
      'parameter_missing',
    ],
    ['a quantity of 0', line({ quantity: 0 }), 'line_items[0][quantity]', 'parameter_invalid_integer'],
    ['a life of 29 minutes', { expires_at: inSeconds(29 * 60) }, 'expires_at'],
    ['a life of 25 hours', { expires_at: inSeconds(25 * 3600) }, 'expires_at'],
    ['a reference of 201 letters', { client_reference_id: 'x'.repeat(201) }, 'client_reference_id'],
    ['51 metadata keys', { metadata: metadata(51) }, 'metadata'],
    ['a metadata key of 41 letters', { metadata: { ['k'.repeat(41)]: 'x' } }, `metadata[${'k'.repeat(41)}]`],
    ['a metadata value of 501 letters', { metadata: { note: 'x'.repeat(501) } }, 'metadata[note]'],
    ['a field that cannot be expanded', { expand: ['nothing'] }, 'expand'],
  ];

  test.for(refused)('is rejected with %s', async ([, changes, param, code]) => {
    const { stripe, control } = await openSandbox();
    const error = await stripe.checkout.sessions.create(orderOf(changes)).catch((rejection: unknown) => rejection);
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject({ statusCode: 400, param, code });
    expect(await control('ledger')).toMatchObject({ sessions: [], events: [] });
  });
});

describe('the stripe package recognizes', () => {
  const { errors } = Stripe;

  test('a wrong key, a missing object and an unknown URL', async () => {
    const { stripe, port, url } = await openSandbox();
    const wrong = stripeAt(port, 'sk_test_wrong_wrong');
    await expect(wrong.checkout.sessions.list()).rejects.toBeInstanceOf(errors.StripeAuthenticationError);
    const missing: [Promise<unknown>, string][] = [
      [stripe.checkout.sessions.retrieve('cs_test_x'), 'session'],
      [stripe.paymentIntents.retrieve('pi_x'), 'intent'],
      [stripe.charges.retrieve('ch_x'), 'id'],
      [stripe.refunds.retrieve('re_x'), 'id'],
      [stripe.events.retrieve('evt_x'), 'id'],
    ];
    for (const [call, param] of missing) {
      await expect(call).rejects.toMatchObject({
        type: 'StripeInvalidRequestError',
        statusCode: 404,
        code: 'resource_missing',
        param,
      });
    }
    await expect(stripe.customers.list()).rejects.toThrow(/Unrecognized request URL/);
    const raw = await fetch(`${url}/v1/nothing`, { headers: { Authorization: `Bearer ${secretKey}` } });
    expect(raw.headers.get('request-id')).toMatch(/^req_/);
    expectOnWire('error', await raw.json());
    expect((await fetch(`${url}/v1/events`)).status).toBe(401);
  });

  const faults: [kind: string, errorClass: unknown][] = [
    ['500', errors.StripeAPIError],
    ['503', errors.StripeAPIError],
    ['409', errors.StripeAPIError],
    ['429', errors.StripeRateLimitError],
    ['reset_before', errors.StripeConnectionError],
    ['reset_after', errors.StripeConnectionError],
    ['bad_json', errors.StripeAPIError],
  ];

  test.for(faults)('the fault %s', async ([kind, errorClass]) => {
    const { stripe, control } = await openSandbox();
    await control('fault', { kind, next: 2 }); // twice: the package retries a cut connection once
    const error = await stripe.checkout.sessions.list().catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(errorClass);
  });
});
