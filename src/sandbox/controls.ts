/** Control routes for tests, under /_sandbox: only with the token, and only from this machine. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findTestCard } from './cards';
import { BodyTooLarge, readBody, sendJson } from './exchange';
import { presentEvent } from './events';
import { faultKinds, type Faults } from './faults';
import { presentCoupon } from './coupons';
import { presentCharge, presentPaymentIntent, presentRefund } from './paymentWire';
import { payWithCard, type Attempt } from './payments';
import type { Provider } from './provider';
import { isSameSecret } from './secrets';
import { expireOverdueSessions, expireOpenSession } from './sessions';
import { presentSession } from './sessionWire';
import { deliveryModes, type Webhooks } from './webhooks';

type Parts = { provider: Provider; webhooks: Webhooks; faults: Faults; settle: () => Promise<void>; token: string };
type Body = Record<string, unknown>;
type Control = (parts: Parts, body: Body) => unknown;

/** The call is malformed; the message says why. */
class BadControl extends Error {}

const createSessionCall = 'POST /v1/checkout/sessions';
const payer = { email: 'payer@example.com', name: 'Test Payer', postalCode: '30301' };

const controls: Record<string, Control> = {
  'POST clock': ({ provider }, body) => {
    provider.clock.advance(wholeNumber(body, 'advanceMs'));
    expireOverdueSessions(provider);
    return { now: new Date(provider.clock.nowMs()).toISOString() };
  },
  'POST hold': ({ faults }, body) => {
    faults.order('hold', wholeNumber(body, 'next', 1), text(body, 'on', createSessionCall));
    return { held: faults.heldCount() };
  },
  'GET hold': ({ faults }) => ({ held: faults.heldCount() }),
  'POST release': ({ faults }) => ({ released: faults.release() }),
  'POST fault': ({ faults }, body) => {
    faults.order(oneOf(body, 'kind', faultKinds), wholeNumber(body, 'next', 1), text(body, 'on', '*'));
    return {};
  },
  'POST deliveries': ({ webhooks }, body) => {
    webhooks.order(oneOf(body, 'mode', deliveryModes), wholeNumber(body, 'next', Number.MAX_SAFE_INTEGER));
    return { mode: webhooks.mode };
  },
  'POST rotate': ({ webhooks }, body) => {
    webhooks.rotate(text(body, 'secret'));
    return {};
  },
  'POST pay': ({ provider }, body) => attempt(provider, body, '4242424242424242'),
  'POST decline': ({ provider }, body) => attempt(provider, body, '4000000000000002'),
  'POST expire': ({ provider }, body) => ({
    status: expireOpenSession(provider, text(body, 'session'))?.status ?? 'unknown',
  }),
  'GET ledger': ({ provider }) => ledger(provider),
};

export function createControls(
  parts: Parts,
): (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> {
  return async (request, response, url) => {
    const name = `${request.method} ${url.pathname.slice('/_sandbox/'.length)}`;
    const control = Object.hasOwn(controls, name) ? controls[name] : undefined;
    if (!control || !isLoopbackAddress(request.socket.remoteAddress))
      return sendJson(response, 404, '{"error":"not found"}');
    const token = request.headers['x-sandbox-token'];
    if (typeof token !== 'string' || !isSameSecret(token, parts.token)) {
      return sendJson(response, 403, '{"error":"the x-sandbox-token header is missing or wrong"}');
    }
    try {
      const answer = control(parts, readJson(await readBody(request, response, 64 * 1024)));
      await parts.settle();
      sendJson(response, 200, JSON.stringify(answer));
    } catch (error) {
      if (!(error instanceof BadControl || error instanceof BodyTooLarge)) throw error;
      sendJson(response, 400, JSON.stringify({ error: error.message }));
    }
  };
}

/** Everything that happened, oldest first: tests compare the shop's records with it. */
function ledger(provider: Provider): unknown {
  const { store } = provider;
  return {
    sessions: Array.from(store.all('sessions'), (session) => presentSession(provider, session)),
    paymentIntents: Array.from(store.all('paymentIntents'), presentPaymentIntent),
    charges: Array.from(store.all('charges'), presentCharge),
    refunds: Array.from(store.all('refunds'), presentRefund),
    coupons: Array.from(store.all('coupons'), presentCoupon),
    events: Array.from(store.all('events'), (event) => presentEvent(provider, event)),
    deliveries: [...store.all('deliveries')],
  };
}

function attempt(provider: Provider, body: Body, defaultCard: string): { result: Attempt['result'] } {
  const card = findTestCard(text(body, 'card', defaultCard).replaceAll(' ', ''));
  if (!card) throw new BadControl('`card` is not a test card');
  return { result: payWithCard(provider, text(body, 'session'), card, payer).result };
}

/** Whether a client's address is a loopback address; IPv4 may come as `::ffff:127.0.0.1`. */
export function isLoopbackAddress(remote: string | undefined): boolean {
  const address = remote?.replace(/^::ffff:/, '') ?? '';
  return address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address);
}

function readJson(source: string): Body {
  if (source === '') return {};
  try {
    const body: unknown = JSON.parse(source);
    if (typeof body === 'object' && body !== null) return body as Body;
  } catch {
    // rejected below, like any other text that is not an object
  }
  throw new BadControl('the body is not a JSON object');
}

function text(body: Body, name: string, fallback?: string): string {
  const value = body[name] ?? fallback;
  if (typeof value !== 'string') throw new BadControl(`\`${name}\` must be a text`);
  return value;
}

function wholeNumber(body: Body, name: string, fallback?: number): number {
  const value = body[name] ?? fallback;
  if (!Number.isSafeInteger(value) || Number(value) < 1)
    throw new BadControl(`\`${name}\` must be a whole number from 1`);
  return Number(value);
}

function oneOf<V extends string>(body: Body, name: string, values: readonly V[]): V {
  const value = values.find((allowed) => allowed === body[name]);
  if (value === undefined) throw new BadControl(`\`${name}\` must be one of ${values.join(', ')}`);
  return value;
}
