import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { openSandbox, orderOf, secretKey, until } from './openSandbox';

async function openRaw() {
  const sandbox = await openSandbox();
  const post = (key: string, changes: Record<string, string> = {}, path = '/v1/checkout/sessions') =>
    fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secretKey}`, 'Idempotency-Key': key },
      body: new URLSearchParams({ ...order, ...changes }),
    });
  const sessionCount = async () => (await sandbox.stripe.checkout.sessions.list({ limit: 100 })).data.length;
  return { ...sandbox, post, sessionCount };
}

const order = {
  mode: 'payment',
  success_url: 'https://shop.example/thanks',
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'usd',
  'line_items[0][price_data][unit_amount]': '900',
  'line_items[0][price_data][product_data][name]': 'Nutmeg',
};

test('the same key and parameters return the first response again, byte for byte', async () => {
  const { post, sessionCount } = await openRaw();
  const first = await post('key-1');
  const again = await post('key-1');
  expect(again.status).toBe(200);
  expect(await again.text()).toBe(await first.text());
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('original-request')).toBe(first.headers.get('request-id'));
  expect(again.headers.get('idempotency-key')).toBe('key-1');
  expect(await sessionCount()).toBe(1);
});

test('the order of the parameters does not matter', async () => {
  const { stripe, sessionCount } = await openRaw();
  const { mode, ...rest } = orderOf();
  await stripe.checkout.sessions.create({ mode, ...rest } as Stripe.Checkout.SessionCreateParams, {
    idempotencyKey: 'k',
  });
  await stripe.checkout.sessions.create({ ...rest, mode } as Stripe.Checkout.SessionCreateParams, {
    idempotencyKey: 'k',
  });
  expect(await sessionCount()).toBe(1);
});

test('the same key with other parameters, or for another call, is rejected', async () => {
  const { post, stripe } = await openRaw();
  await stripe.checkout.sessions.create(orderOf(), { idempotencyKey: 'key-1' });
  const other = stripe.checkout.sessions.create(orderOf({ metadata: { a: 'b' } }), { idempotencyKey: 'key-1' });
  const rejection: unknown = await other.catch((error: unknown) => error);
  expect(rejection).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  expect((rejection as Error).message).toMatch(
    /^Keys for idempotent requests can only be used with the same parameters/,
  );
  expect((await post('key-1', {}, '/v1/refunds')).status).toBe(400);
});

test('twenty calls with one key at the same moment create one session', async () => {
  const { post, sessionCount } = await openRaw();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('key-1')));
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses.has(200)).toBe(true);
  expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
  expect(await sessionCount()).toBe(1);
});

test('a key whose call is still running returns 409 and asks to try again', async () => {
  const { post, control } = await openRaw();
  await control('hold', {});
  const first = post('key-1');
  await until(async () => (await control('hold'))['held'] === 1);
  const second = await post('key-1');
  expect(second.status).toBe(409);
  expect(second.headers.get('stripe-should-retry')).toBe('true');
  expect(await second.json()).toMatchObject({ error: { code: 'idempotency_key_in_use' } });
  await control('release', {});
  expect((await first).status).toBe(200);
  expect((await post('key-1')).headers.get('idempotent-replayed')).toBe('true');
});

test('a caller who disconnects while waiting gets the response with the same key later', async () => {
  const { stripe, control, sessionCount } = await openRaw();
  const params = orderOf();
  await control('hold', {});
  const options = { idempotencyKey: 'key-1', timeout: 100 };
  await expect(stripe.checkout.sessions.create(params, options)).rejects.toThrow();
  await until(async () => (await control('hold'))['held'] === 0);
  await stripe.checkout.sessions.create(params, { idempotencyKey: 'key-1' });
  expect(await sessionCount()).toBe(1);
});

test('a rejected call leaves its key free', async () => {
  const { post } = await openRaw();
  expect((await post('key-1', { 'line_items[0][quantity]': '0' })).status).toBe(400);
  expect((await post('key-1')).status).toBe(200);
});

test('a failure after the start is the response of its key from then on', async () => {
  const { post, control, sessionCount } = await openRaw();
  await control('fault', { kind: '500', next: 1 });
  expect((await post('key-1')).status).toBe(500);
  const again = await post('key-1');
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([500, 'true']);
  expect((await post('key-2')).status).toBe(200);
  expect(await sessionCount()).toBe(1);
});

test('a response lost on a cut connection is available under the same key', async () => {
  const { post, control, sessionCount } = await openRaw();
  await control('fault', { kind: 'reset_after', next: 1 });
  await expect(post('key-1')).rejects.toThrow();
  expect((await post('key-1')).headers.get('idempotent-replayed')).toBe('true');
  expect(await sessionCount()).toBe(1);
});

test('a key of more than 255 characters is rejected', async () => {
  const { post } = await openRaw();
  expect((await post('k'.repeat(255))).status).toBe(200);
  expect((await post('k'.repeat(256))).status).toBe(400);
});

test('a key is deleted after 24 hours', async () => {
  const { post, control, sessionCount } = await openRaw();
  await post('key-1');
  await control('clock', { advanceMs: 24 * 3600 * 1000 });
  expect((await post('key-1')).headers.get('idempotent-replayed')).toBeNull();
  expect(await sessionCount()).toBe(2);
});
