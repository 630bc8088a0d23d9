import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { onTestFinished } from 'vitest';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox';

export const secretKey = 'sk_test_0123456789abcdef';
export const webhookSecret = 'whsec_0123456789abcdef';
export const controlToken = 'control-token';

type Options = Partial<SandboxOptions> & { hasControls?: boolean };

/** A sandbox on its own folder and port, with the `stripe` package pointed at it; both end with the test. */
export async function openSandbox({ hasControls = true, ...options }: Options = {}) {
  const folder = options.folder ?? (await temporaryFolder());
  const sandbox: Sandbox = await startSandbox({
    port: 0,
    hosts: ['127.0.0.1'],
    folder,
    secretKey,
    webhookSecret,
    webhookUrl: undefined,
    shopName: 'Spice & Co <b>',
    ...(hasControls && { controls: { token: controlToken } }),
    ...options,
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await sandbox.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...sandbox, close, folder, stripe: stripeAt(sandbox.port), control: controlOf(sandbox.url) };
}

/** The `stripe` package as the shop uses it, without its retries. */
export function stripeAt(port: number, key = secretKey): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

/** Calls a control route, e.g. `control('clock', { advanceMs: 1000 })`; without a body it is a GET. */
export function controlOf(url: string) {
  return async <A = Record<string, unknown>>(name: string, body?: unknown): Promise<A> => {
    const answer = await fetch(`${url}/_sandbox/${name}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-sandbox-token': controlToken },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as A;
  };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Post = { headers: IncomingHttpHeaders; body: string };

/** A merchant that receives events; `statusOf` decides the response to each. */
export async function openMerchant(statusOf: (event: Stripe.Event, nth: number) => number = () => 200) {
  const posts: Post[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      posts.push({ headers: request.headers, body });
      const status = statusOf(JSON.parse(body) as Stripe.Event, posts.length);
      response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const events = () => posts.map(({ body }) => JSON.parse(body) as Stripe.Event);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`, posts, events };
}

/** The parameters of an ordinary order: two jars and a box, $31.49 in all. */
export function orderOf(
  changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    client_reference_id: 'order_1',
    customer_email: 'ana@example.com',
    success_url: 'http://localhost:3000/payment/success?session_id={CHECKOUT_SESSION_ID}&x=1',
    cancel_url: 'http://localhost:3000/checkout',
    expires_at: Math.floor(Date.now() / 1000) + 31 * 60,
    metadata: { order_id: 'o1' },
    payment_intent_data: { metadata: { order_id: 'o1' } },
    line_items: [
      {
        quantity: 2,
        price_data: { currency: 'usd', unit_amount: 1250, product_data: { name: 'Jollof & <thyme> +50%' } },
      },
      { quantity: 1, price_data: { currency: 'usd', unit_amount: 649, product_data: { name: 'Suya box' } } },
    ],
    ...changes,
  };
}

/** The id of an object that a field names or contains. */
export function idOf(field: string | { id: string } | null): string {
  if (field === null) throw new Error('there is none');
  return typeof field === 'string' ? field : field.id;
}

export const goodCard = '4242 4242 4242 4242';

/** The fields of the payment page as a payer fills them in. */
export function cardForm(cardNumber: string, changes: Record<string, string> = {}): URLSearchParams {
  const form = { email: 'ana@example.com', cardNumber, expiry: '12 / 34', cvc: '123', name: 'Ana Silva', zip: '30301' };
  return new URLSearchParams({ ...form, ...changes });
}

/** Sends the payment page's form, as a browser without following the redirect. */
export function sendForm(url: string, body: URLSearchParams): Promise<Response> {
  return fetch(url, { method: 'POST', body, redirect: 'manual' });
}

/** Waits until `isTrue`, and fails after ten seconds. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('it did not happen within a minute');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
