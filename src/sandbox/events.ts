import { noSuch } from './apiError';
import type { Call } from './call';
import { newId } from './ids';
import { listPage } from './lists';
import { apiVersion, type Provider } from './provider';
import type { Cause, EventRecord } from './records';
import type { WireObject } from './wire';

/** The cause of an event that came from the payer or from the passing of time, not from an API call. */
export const byPayerOrClock: Cause = { id: null, idempotency_key: null };

/**
 * Records an event and its delivery to the merchant, within the transaction that caused it.
 * @param object the wire object at this moment
 */
export function recordEvent(
  { store, clock, hasWebhook }: Provider,
  type: string,
  object: WireObject,
  cause: Cause,
  previousAttributes: WireObject | null = null,
): EventRecord {
  const event = { id: newId('evt_'), created: clock.seconds(), type, object, previousAttributes, cause };
  const nowMs = clock.nowMs();
  store.put('events', event);
  if (hasWebhook()) {
    store.put('deliveries', {
      id: event.id,
      state: 'pending',
      createdMs: nowMs,
      attempts: 0,
      nextAttemptMs: nowMs,
      lastStatus: null,
    });
  }
  return event;
}

/** GET /v1/events/:id */
export function retrieveEvent({ provider, id }: Call): WireObject {
  const event = provider.store.find('events', id);
  if (!event) throw noSuch('event', id, 'id');
  return presentEvent(provider, event);
}

/** GET /v1/events */
export function listEvents({ provider, params }: Call): WireObject {
  const { store } = provider;
  const type = params.text('type');
  const types = params.texts('types');
  const success = params.boolean('delivery_success');
  const isWanted = (event: EventRecord) => {
    if (type !== null && !matches(type, event.type)) return false;
    if (types.length > 0 && !types.some((wanted) => matches(wanted, event.type))) return false;
    const wasDelivered = (store.find('deliveries', event.id)?.state ?? 'delivered') === 'delivered';
    return success === null || wasDelivered === success;
  };
  return listPage(params, '/v1/events', store.all('events'), isWanted, (event) => presentEvent(provider, event));
}

export function presentEvent({ store }: Provider, event: EventRecord): WireObject {
  const isPending = store.find('deliveries', event.id)?.state === 'pending';
  return {
    id: event.id,
    object: 'event',
    api_version: apiVersion,
    created: event.created,
    data: {
      object: event.object,
      ...(event.previousAttributes && { previous_attributes: event.previousAttributes }),
    },
    livemode: false,
    pending_webhooks: isPending ? 1 : 0,
    request: event.cause,
    type: event.type,
  };
}

/** `charge.*` matches every type that starts with `charge.` */
function matches(wanted: string, type: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
