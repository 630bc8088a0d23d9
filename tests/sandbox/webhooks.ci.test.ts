import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { openMerchant, openSandbox, orderOf, until, webhookSecret } from './openSandbox';
import { expectOnWire } from './schemas';

type Ledger = { deliveries: { id: string; state: string; attempts: number; lastStatus: number | null }[] };

async function openBoth(statusOf?: (event: Stripe.Event, nth: number) => number) {
  const merchant = await openMerchant(statusOf);
  const sandbox = await openSandbox({ webhookUrl: merchant.url });
  const { id } = await sandbox.stripe.checkout.sessions.create(orderOf());
  const deliveries = async () => (await sandbox.control<Ledger>('ledger')).deliveries;
  /** Advances the clock, and waits until all that was due by then is done. */
  const later = async (advanceMs: number, posts: number) => {
    await sandbox.control('clock', { advanceMs });
    await until(() => merchant.posts.length >= posts);
    await until(async () => (await deliveries()).every(({ attempts }) => attempts > 0));
  };
  return { ...sandbox, merchant, id, deliveries, later };
}

test('each event of a payment arrives once, signed, as the provider publishes it', async () => {
  const { stripe, merchant, control, id, deliveries } = await openBoth();
  await control('pay', { session: id });
  await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'));
  expect(merchant.posts).toHaveLength(4);
  for (const { headers, body } of merchant.posts) {
    const event = stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), webhookSecret);
    expectOnWire('event', event);
    expect(event).toMatchObject({ livemode: false, pending_webhooks: 1, api_version: Stripe.API_VERSION });
    expect(await stripe.events.retrieve(event.id)).toMatchObject({ type: event.type, pending_webhooks: 0 });
  }
  const completed = merchant.events().find(({ type }) => type === 'checkout.session.completed');
  expect(completed!.data.object).toMatchObject({ id, payment_status: 'paid', amount_total: 3149 });
});

test('a rejected event is sent again after 5 s, 30 s, 5 min, … and not after three days', async () => {
  const { merchant, control, id, later, deliveries } = await openBoth(() => 500);
  await control('expire', { session: id });
  await until(() => merchant.posts.length === 1);
  const second = 1000;
  const hour = 3600 * second;
  const gaps = [5 * second, 25 * second, 270 * second, 1500 * second, 1.5 * hour, 3 * hour, 5 * hour];
  for (const gap of [...gaps, ...Array.from({ length: 5 }, () => 12 * hour)]) {
    const before = merchant.posts.length;
    await until(async () => (await deliveries())[0]!.attempts === before);
    await later(gap, before + 1);
    expect(merchant.posts).toHaveLength(before + 1);
  }
  await until(async () => (await deliveries())[0]!.state === 'given_up');
  expect(merchant.posts).toHaveLength(13);
});

test('an event is delivered once the merchant recovers', async () => {
  const { merchant, control, id, later, deliveries, stripe } = await openBoth((_event, nth) => (nth < 3 ? 500 : 200));
  await control('expire', { session: id });
  await until(async () => (await deliveries())[0]?.attempts === 1);
  expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  await later(5_000, 2);
  await until(async () => (await deliveries())[0]!.attempts === 2);
  await later(25_000, 3);
  await until(async () => (await deliveries())[0]!.state === 'delivered');
  expect((await stripe.events.list({ delivery_success: true })).data).toHaveLength(1);
  expect(new Set(merchant.posts.map(({ headers }) => headers['stripe-signature'])).size).toBe(3);
});

test('a redirect is a failure', async () => {
  const { merchant, control, id, deliveries } = await openBoth(() => 302);
  await control('expire', { session: id });
  await until(async () => (await deliveries())[0]?.lastStatus === 302);
  expect(merchant.posts).toHaveLength(1);
  expect((await deliveries())[0]!.state).toBe('pending');
});

test('pending deliveries are sent after a restart', async () => {
  const { control, id, close, folder, deliveries } = await openBoth(() => 500);
  await control('expire', { session: id });
  await until(async () => (await deliveries())[0]?.attempts === 1);
  await close();
  const merchant = await openMerchant();
  const { control: controlAgain } = await openSandbox({ folder, webhookUrl: merchant.url });
  await controlAgain('clock', { advanceMs: 3600_000 });
  await until(() => merchant.posts.length === 1);
  expect(merchant.events()).toMatchObject([{ type: 'checkout.session.expired', data: { object: { id } } }]);
});

test('deliveries can be held, dropped and duplicated', async () => {
  const { merchant, control, id, deliveries, stripe, later } = await openBoth();
  await control('deliveries', { mode: 'hold' });
  await control('expire', { session: id });
  expect((await deliveries())[0]).toMatchObject({ state: 'pending', attempts: 0 });
  await control('deliveries', { mode: 'drop' });
  await until(async () => (await deliveries())[0]!.attempts === 1);
  expect(merchant.posts).toHaveLength(0);
  await control('deliveries', { mode: 'duplicate' });
  await later(5_000, 2);
  expect(new Set(merchant.events().map((event) => event.id)).size).toBe(1);
  expect((await stripe.events.list()).data).toHaveLength(1);
});

test.for(['corrupt', 'old'])('a delivery made %s is rejected by the stripe package', async (mode) => {
  const { merchant, control, id, stripe } = await openBoth();
  await control('deliveries', { mode });
  await control('expire', { session: id });
  await until(() => merchant.posts.length === 1);
  const { headers, body } = merchant.posts[0]!;
  const open = () => stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), webhookSecret);
  expect(open).toThrow(Stripe.errors.StripeSignatureVerificationError);
});

test('deliveries can be reversed: the latest event is sent first', async () => {
  const { merchant, control, id } = await openBoth();
  await control('deliveries', { mode: 'reverse' });
  await control('pay', { session: id });
  await until(() => merchant.posts.length === 4);
  expect(merchant.events().map(({ type }) => type)).toEqual([
    'checkout.session.completed',
    'payment_intent.succeeded',
    'charge.succeeded',
    'payment_intent.created',
  ]);
});

test('only the next of many deliveries can be made to fail', async () => {
  const { merchant, control, id, deliveries } = await openBoth();
  await control('deliveries', { mode: 'drop', next: 3 });
  await control('pay', { session: id });
  await until(async () => (await deliveries()).every(({ attempts }) => attempts > 0));
  expect(merchant.posts).toHaveLength(1);
});

test('only the next of many deliveries can be held, and they are sent with the next release', async () => {
  const { merchant, control, id, deliveries } = await openBoth();
  await control('deliveries', { mode: 'hold', next: 3 });
  await control('pay', { session: id });
  await until(async () => (await deliveries()).filter(({ state }) => state === 'delivered').length === 1);
  expect(merchant.posts).toHaveLength(1);
  await control('deliveries', { mode: 'normal' });
  await until(() => merchant.posts.length === 4);
});

test('one configured to wait for its merchant sends nothing, and counts no attempt, before the merchant listens', async () => {
  const merchant = await openMerchant();
  const sandbox = await openSandbox({ webhookUrl: merchant.url, holdsDeliveries: true });
  const { id } = await sandbox.stripe.checkout.sessions.create(orderOf());
  await sandbox.control('pay', { session: id });
  await sandbox.control('clock', { advanceMs: 1000 });
  const attempts = async () =>
    (await sandbox.control<Ledger>('ledger')).deliveries.map((delivery) => delivery.attempts);
  expect(await attempts()).toEqual([0, 0, 0, 0]);
  expect(merchant.posts).toEqual([]);
  sandbox.startDeliveries();
  await until(() => merchant.posts.length === 4);
});

test('while the secret is rotated an event is signed with the old and the new one', async () => {
  const { merchant, control, id, stripe } = await openBoth();
  const newSecret = 'whsec_fedcba9876543210';
  await control('rotate', { secret: newSecret });
  await control('expire', { session: id });
  await until(() => merchant.posts.length === 1);
  const { headers, body } = merchant.posts[0]!;
  const signature = String(headers['stripe-signature']);
  expect(signature).toMatch(/^t=\d+,v1=[\da-f]{64},v1=[\da-f]{64}$/);
  for (const secret of [webhookSecret, newSecret])
    expect(stripe.webhooks.constructEvent(body, signature, secret)).toMatchObject({ type: 'checkout.session.expired' });
  expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_of_nobody')).toThrow();
});
