/**
 * Delivers events to the merchant: each is posted with a signature until a 2xx comes back.
 *
 * Deliveries are records, so they go on after a restart. They are sent in parallel (in no fixed order), and a delivery
 * that a crash interrupts is sent again: the merchant must expect an event twice.
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
const maxAtOnce = 32;
const lookEveryMs = 50;
const noteAgainMs = second;

export class Webhooks {
  url: string | undefined;
  readonly #provider: Provider;
  /** Two during a rotation, the new one first. */
  #secrets: string[];
  /** The fault that tests ordered for deliveries, and for how many of them. */
  #ordered: { mode: DeliveryMode; left: number } = { mode: 'normal', left: Infinity };
  readonly #underWay = new Map<string, Promise<void>>();
  /** Deliveries held for tests, until another order. */
  readonly #held = new Set<string>();
  #hasStarted: boolean;
  readonly #closing = new AbortController();

  /**
   * @param secret two with a comma between them during a rotation, the new one first
   * @param hasStarted false: nothing is sent before `start` is called
   */
  constructor(provider: Provider, secret: string, url: string | undefined, hasStarted: boolean) {
    this.#hasStarted = hasStarted;
    this.#provider = provider;
    this.#secrets = secret.split(',');
    this.url = url;
  }

  /**
   * Orders a fault for the next deliveries, or for all from now on.
   * `hold` keeps them until another order is given; `reverse` sends the newest first, one after the other.
   */
  order(mode: DeliveryMode, next = Infinity): void {
    this.#ordered = { mode, left: next };
    this.#held.clear();
  }

  /** Begins to send: the merchant listens now. */
  start(): void {
    this.#hasStarted = true;
    this.sendDue();
  }

  get mode(): DeliveryMode {
    return this.#ordered.mode;
  }

  /** From now on events are signed with the new secret and with the one before it. */
  rotate(secret: string): void {
    this.#secrets = [secret, ...this.#secrets.slice(0, 1)];
  }

  /** Begins every attempt that is due. Call it after the events are on the disk. */
  sendDue(): void {
    const isReversed = this.mode === 'reverse';
    const ids = this.#provider.store.pendingDeliveryIds();
    for (const id of isReversed ? ids.toReversed() : ids) {
      if (this.#underWay.size >= (isReversed ? 1 : maxAtOnce)) return;
      this.#beginIfDue(id);
    }
  }

  /**
   * Sends an event before others, since a payer waits for it. Resolves when the merchant has taken the event, when its
   * delivery is not going on, and after the time limit in any case.
   */
  async sendNow(eventId: string, timeoutMs: number): Promise<void> {
    if (this.mode === 'reverse') this.sendDue();
    else this.#beginIfDue(eventId);
    const end = performance.now() + timeoutMs;
    while (this.#isOnItsWay(eventId) && performance.now() < end) await pause(lookEveryMs);
  }

  /** Aborts running deliveries; they are sent again after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#underWay.values());
  }

  #beginIfDue(id: string): void {
    if (!this.url || !this.#isOnItsWay(id) || this.#underWay.has(id)) return;
    const { store, clock } = this.#provider;
    if (store.require('deliveries', id).nextAttemptMs > clock.nowMs()) return;
    if (this.mode === 'hold') {
      this.#held.add(id);
      this.#useUp();
    } else this.#underWay.set(id, this.#attempt(id, this.url));
  }

  /** Whether the event was not taken yet and will be sent, now or later. */
  #isOnItsWay(id: string): boolean {
    if (!this.url || !this.#hasStarted || this.#closing.signal.aborted || this.#held.has(id)) return false;
    return this.#provider.store.find('deliveries', id)?.state === 'pending';
  }

  async #attempt(id: string, url: string): Promise<void> {
    const mode = this.#takeMode();
    if (await this.#isOnDisk(id)) {
      const posts = [this.#post(id, url, mode)];
      if (mode === 'duplicate') posts.push(this.#post(id, url, mode));
      const [status = null] = await Promise.all(posts);
      await this.#note(id, status);
    }
    this.#underWay.delete(id);
    this.sendDue();
  }

  /** An event is sent only once it is on the disk, where it cannot be undone any more. */
  async #isOnDisk(id: string): Promise<boolean> {
    const { store } = this.#provider;
    await store.synced().catch(() => undefined);
    return store.find('deliveries', id) !== undefined;
  }

  /** Retries until the result is on the disk: a delivered event must not be sent repeatedly while the disk is full. */
  async #note(id: string, status: number | null): Promise<void> {
    const { store, clock } = this.#provider;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const tried = afterAttempt(store.require('deliveries', id), status, clock.nowMs());
      store.transact(() => store.put('deliveries', tried));
      const isNoted = await store.synced().then(
        () => true,
        () => false,
      );
      if (isNoted) return;
      await pause(noteAgainMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Takes the fault for the delivery that begins now. */
  #takeMode(): DeliveryMode {
    const { mode } = this.#ordered;
    this.#useUp();
    return mode;
  }

  #useUp(): void {
    this.#ordered.left -= 1;
    if (this.#ordered.left <= 0) this.#ordered = { mode: 'normal', left: Infinity };
  }

  /** @returns the HTTP status, or null when there was no answer */
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
      return null; // no answer in time: there will be another attempt
    }
  }

  /** Signs with each secret, since the merchant may know only one of them yet. */
  #sign(body: string, mode: DeliveryMode): string {
    const t = this.#provider.clock.seconds() - (mode === 'old' ? 301 : 0);
    const signed = mode === 'corrupt' ? `${body} ` : body;
    const signatures = this.#secrets.map((secret) =>
      createHmac('sha256', secret).update(`${t}.${signed}`).digest('hex'),
    );
    return [`t=${t}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
  }
}

/** The delivery after an attempt. Attempts whose time passed meanwhile (the provider was down) count as one. */
function afterAttempt(delivery: Delivery, lastStatus: number | null, nowMs: number): Delivery {
  const tried = { ...delivery, attempts: delivery.attempts + 1, lastStatus };
  if (lastStatus !== null && lastStatus >= 200 && lastStatus < 300) return { ...tried, state: 'delivered' };
  const nextAt = attemptsAtMs.find((atMs) => atMs > nowMs - delivery.createdMs);
  if (nextAt === undefined) return { ...tried, state: 'given_up' };
  return { ...tried, nextAttemptMs: delivery.createdMs + nextAt };
}
