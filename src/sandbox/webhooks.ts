/**
 * Delivers events to the merchant: each is posted with a signature until a 2xx response.
 *
 * Deliveries are records, so they continue after a restart. They are sent in parallel (in no fixed order), and a delivery
 * that a crash interrupts is sent again: the merchant must expect duplicates.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { presentEvent } from './events';
import type { Provider } from './provider';
import type { Delivery } from './records';

export const deliveryModes = ['normal', 'hold', 'drop', 'duplicate', 'reverse', 'corrupt', 'old'] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const attemptsAtMs = [0, 5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
for (let atMs = 22 * hour; atMs <= 72 * hour; atMs += 12 * hour) attemptsAtMs.push(atMs);

const attemptTimeoutMs = 20 * second;
const maxInFlight = 32;
const pollMs = 50;
const recordRetryMs = second;

export class Webhooks {
  url: string | undefined;
  readonly #provider: Provider;
  /** Two during a rotation, new one first. */
  #secrets: string[];
  /** The fault that tests requested for deliveries, and for how many of them. */
  #ordered: { mode: DeliveryMode; left: number } = { mode: 'normal', left: Infinity };
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Deliveries held for tests, until the next `order`. */
  readonly #held = new Set<string>();
  #hasStarted: boolean;
  readonly #closing = new AbortController();

  /**
   * @param secret two separated by a comma during a rotation, new one first
   * @param hasStarted false: nothing is sent before `start` is called
   */
  constructor(provider: Provider, secret: string, url: string | undefined, hasStarted: boolean) {
    this.#hasStarted = hasStarted;
    this.#provider = provider;
    this.#secrets = secret.split(',');
    this.url = url;
  }

  /**
   * Requests a fault for the next deliveries, or for all from now on.
   * `hold` holds them until the next call; `reverse` sends the newest first, one after the other.
   */
  order(mode: DeliveryMode, next = Infinity): void {
    this.#ordered = { mode, left: next };
    this.#held.clear();
  }

  /** Starts sending: the merchant listens now. */
  start(): void {
    this.#hasStarted = true;
    this.sendDue();
  }

  get mode(): DeliveryMode {
    return this.#ordered.mode;
  }

  /** From now on events are signed with the new secret and the previous one. */
  rotate(secret: string): void {
    this.#secrets = [secret, ...this.#secrets.slice(0, 1)];
  }

  /** Starts every attempt that is due. Call it after the events are on disk. */
  sendDue(): void {
    const isReversed = this.mode === 'reverse';
    const ids = this.#provider.store.pendingDeliveryIds();
    for (const id of isReversed ? ids.toReversed() : ids) {
      if (this.#inFlight.size >= (isReversed ? 1 : maxInFlight)) return;
      this.#beginIfDue(id);
    }
  }

  /**
   * Sends an event ahead of others because a payer waits for it. Resolves when the merchant has accepted it, when its
   * delivery has stopped, or at the time limit.
   */
  async sendNow(eventId: string, timeoutMs: number): Promise<void> {
    if (this.mode === 'reverse') this.sendDue();
    else this.#beginIfDue(eventId);
    const end = performance.now() + timeoutMs;
    while (this.#isOnItsWay(eventId) && performance.now() < end) await pause(pollMs);
  }

  /** Aborts deliveries in flight; they are sent again after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#inFlight.values());
  }

  #beginIfDue(id: string): void {
    if (!this.url || !this.#isOnItsWay(id) || this.#inFlight.has(id)) return;
    const { store, clock } = this.#provider;
    if (store.require('deliveries', id).nextAttemptMs > clock.nowMs()) return;
    if (this.mode === 'hold') {
      this.#held.add(id);
      this.#useUp();
    } else this.#inFlight.set(id, this.#attempt(id, this.url));
  }

  /** Whether the event is not delivered yet and will be sent, now or later. */
  #isOnItsWay(id: string): boolean {
    if (!this.url || !this.#hasStarted || this.#closing.signal.aborted || this.#held.has(id)) return false;
    return this.#provider.store.find('deliveries', id)?.state === 'pending';
  }

  async #attempt(id: string, url: string): Promise<void> {
    const mode = this.#takeFaultMode();
    if (await this.#isOnDisk(id)) {
      const posts = [this.#post(id, url, mode)];
      if (mode === 'duplicate') posts.push(this.#post(id, url, mode));
      const [status = null] = await Promise.all(posts);
      await this.#note(id, status);
    }
    this.#inFlight.delete(id);
    this.sendDue();
  }

  /** An event is sent only once it is on disk, where it can no longer be undone. */
  async #isOnDisk(id: string): Promise<boolean> {
    const { store } = this.#provider;
    await store.synced().catch(() => undefined);
    return store.find('deliveries', id) !== undefined;
  }

  /** Retries until the result is on disk: a delivered event must not be sent repeatedly while the disk is full. */
  async #note(id: string, status: number | null): Promise<void> {
    const { store, clock } = this.#provider;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const attempted = afterAttempt(store.require('deliveries', id), status, clock.nowMs());
      store.transact(() => store.put('deliveries', attempted));
      const isRecorded = await store.synced().then(
        () => true,
        () => false,
      );
      if (isRecorded) return;
      await pause(recordRetryMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Takes the fault for the delivery that starts now. */
  #takeFaultMode(): DeliveryMode {
    const { mode } = this.#ordered;
    this.#useUp();
    return mode;
  }

  #useUp(): void {
    this.#ordered.left -= 1;
    if (this.#ordered.left <= 0) this.#ordered = { mode: 'normal', left: Infinity };
  }

  /** @returns the HTTP status, or null when there was no response */
  async #post(id: string, url: string, mode: DeliveryMode): Promise<number | null> {
    if (mode === 'drop') return null;
    const { store } = this.#provider;
    const body = JSON.stringify(presentEvent(this.#provider, store.require('events', id)));
    try {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Stripe-Signature': this.#sign(body, mode),
          'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body,
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(attemptTimeoutMs)]),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return null; // no response in time: there will be another attempt
    }
  }

  /** Signs with each secret, since the merchant may know only one of them. */
  #sign(body: string, mode: DeliveryMode): string {
    const t = this.#provider.clock.seconds() - (mode === 'old' ? 301 : 0);
    const payload = mode === 'corrupt' ? `${body} ` : body;
    const signatures = this.#secrets.map((secret) =>
      createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex'),
    );
    return [`t=${t}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
  }
}

/** The delivery after an attempt. Attempts missed meanwhile (the provider was down) count as one. */
function afterAttempt(delivery: Delivery, lastStatus: number | null, nowMs: number): Delivery {
  const attempted = { ...delivery, attempts: delivery.attempts + 1, lastStatus };
  if (lastStatus !== null && lastStatus >= 200 && lastStatus < 300) return { ...attempted, state: 'delivered' };
  const nextAt = attemptsAtMs.find((atMs) => atMs > nowMs - delivery.createdMs);
  if (nextAt === undefined) return { ...attempted, state: 'given_up' };
  return { ...attempted, nextAttemptMs: delivery.createdMs + nextAt };
}
