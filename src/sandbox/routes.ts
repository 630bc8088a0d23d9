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

/** @returns undefined for a URL that the test provider does not have */
export function findRoute(method: string, path: string): { handler: Handler; id: string } | undefined {
  const segments = path.split('/');
  const route = table.find(
    ({ method: routeMethod, parts }) =>
      routeMethod === method &&
      parts.length === segments.length &&
      parts.every((part, at) => isPart(part, segments[at])),
  );
  return route && { handler: route.handler, id: segments[route.parts.indexOf(':id')] ?? '' };
}

const isPart = (part: string, segments: string | undefined) => (part === ':id' ? Boolean(segments) : part === segments);
