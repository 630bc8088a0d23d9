import { ApiError, noSuch } from './apiError';
import type { Call } from './call';
import { byPayerOrClock, recordEvent } from './events';
import { listPage } from './lists';
import { readNewSession } from './newSession';
import type { Provider } from './provider';
import type { Cause, Session } from './records';
import { presentLines, presentSession } from './sessionWire';
import type { WireObject } from './wire';

/** POST /v1/checkout/sessions */
export function createSession({ provider, params }: Call): WireObject {
  const session = readNewSession(params, provider.clock.seconds(), (id) => provider.store.find('coupons', id));
  provider.store.put('sessions', session);
  return presentSession(provider, session);
}

/** GET /v1/checkout/sessions/:id */
export function retrieveSession({ provider, id }: Call): WireObject {
  return presentSession(provider, requireSession(provider, id));
}

/** GET /v1/checkout/sessions */
export function listSessions({ provider, params }: Call): WireObject {
  expireOverdueSessions(provider);
  const status = params.oneOf('status', ['open', 'complete', 'expired']);
  const intent = params.text('payment_intent');
  const isWanted = (session: Session) =>
    (status === null || session.status === status) &&
    (intent === null || (session.status === 'complete' && session.paymentIntentId === intent));
  return listPage(params, '/v1/checkout/sessions', provider.store.all('sessions'), isWanted, (session) =>
    presentSession(provider, session),
  );
}

/** GET /v1/checkout/sessions/:id/line_items, in the order sent */
export function listLineItems({ provider, params, id }: Call): WireObject {
  const session = requireSession(provider, id);
  const { created } = session;
  const items = presentLines(session).map((item) => ({ id: String(item['id']), created, item }));
  const url = `/v1/checkout/sessions/${id}/line_items`;
  return listPage(
    params,
    url,
    items.toReversed(),
    () => true,
    ({ item }) => item,
  );
}

/** POST /v1/checkout/sessions/:id/expire */
export function expireSession({ provider, id, cause }: Call): WireObject {
  const session = requireSession(provider, id);
  if (session.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`;
    throw new ApiError(400, message);
  }
  return presentSession(provider, close(provider, session, cause));
}

/**
 * Finds a session, and first expires it if its time has passed.
 * @returns undefined when there is no such session
 */
export function findSession(provider: Provider, id: string): Session | undefined {
  const session = provider.store.find('sessions', id);
  if (session?.status !== 'open' || session.expiresAt > provider.clock.seconds()) return session;
  return provider.store.transact(() => close(provider, session, byPayerOrClock));
}

/** Expires every open session whose time has passed. */
export function expireOverdueSessions(provider: Provider): void {
  for (const id of provider.store.openSessionIds()) findSession(provider, id);
}

/** Expires an open session; a closed one does not change. */
export function expireOpenSession(provider: Provider, id: string): Session | undefined {
  const session = findSession(provider, id);
  if (session?.status !== 'open') return session;
  return provider.store.transact(() => close(provider, session, byPayerOrClock));
}

function requireSession(provider: Provider, id: string): Session {
  const session = findSession(provider, id);
  if (!session) throw noSuch('checkout.session', id, 'session');
  return session;
}

function close(provider: Provider, session: Session, cause: Cause): Session {
  const expired: Session = { ...session, status: 'expired', authentication: null };
  provider.store.put('sessions', expired);
  recordEvent(provider, 'checkout.session.expired', presentSession(provider, expired), cause);
  return expired;
}
