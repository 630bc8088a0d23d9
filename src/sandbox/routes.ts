import type { Handler } from './call';
import { createCoupon, retrieveCoupon } from './coupons';
import { listEvents, retrieveEvent } from './events';
import { retrieveCharge, retrievePaymentIntent } from './payments';
import { createRefund, listRefunds, retrieveRefund } from './refunds';
import { createSession, expireSession, listLineItems, listSessions, retrieveSession } from './sessions';

const routes: [method: string, path: string, handler: Handler][] = [
  ['POST', '/v1/checkout/sessions', createSession],
  ['GET', '/v1/checkout/sessions', listSessions],
  ['GET', '/v1/checkout/sessions/:id', retrieveSession],
  ['GET', '/v1/checkout/sessions/:id/line_items', listLineItems],
  ['POST', '/v1/checkout/sessions/:id/expire', expireSession],
  ['GET', '/v1/payment_intents/:id', retrievePaymentIntent],
  ['GET', '/v1/charges/:id', retrieveCharge],
  ['POST', '/v1/coupons', createCoupon],
  ['GET', '/v1/coupons/:id', retrieveCoupon],
  ['POST', '/v1/refunds', createRefund],
  ['GET', '/v1/refunds', listRefunds],
  ['GET', '/v1/refunds/:id', retrieveRefund],
  ['GET', '/v1/events', listEvents],
  ['GET', '/v1/events/:id', retrieveEvent],
];

const table = routes.map(([method, path, handler]) => ({ method, parts: path.split('/'), handler }));

/** @returns undefined for a URL that the provider (or this copy of it) does not have */
export function findRoute(method: string, path: string): { handler: Handler; id: string } | undefined {
  const asked = path.split('/');
  const route = table.find(
    ({ method: its, parts }) =>
      its === method && parts.length === asked.length && parts.every((part, at) => isPart(part, asked[at])),
  );
  return route && { handler: route.handler, id: asked[route.parts.indexOf(':id')] ?? '' };
}

const isPart = (part: string, asked: string | undefined) => (part === ':id' ? Boolean(asked) : part === asked);
