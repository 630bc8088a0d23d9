/**
 * Tells the merchant what happened: each event is posted, signed, until a 2xx comes back.
 *
 * Deliveries are records, so they go on after a restart. They are sent next to each other (their order is not kept),
 * and one that was under way in a crash is sent again: the merchant must expect an event twice.
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
  /** The new one first, while one is rotated. */
  #secrets: string[];
  /** What tests want to happen to deliveries, and to how many of them. */
  #ordered: { mode: DeliveryMode; left: number } = { mode: 'normal', left: Infinity };
  readonly #underWay = new Map<string, Promise<void>>();
  /** Those that tests hold, until they order something else. */
  readonly #held = new Set<string>();
  #hasStarted: boolean;
  readonly #closing = new AbortController();

  /**
   * @param secret two of them with a comma between them while one is rotated, the new one first
   * @param hasStarted false: nothing is sent before `start` is called
   */
  constructor(provider: Provider, secret: string, url: string | undefined, hasStarted: boolean) {
    this.#hasStarted = hasStarted;
    this.#provider = provider;
    this.#secrets = secret.split(',');
    this.url = url;
  }

  /**
   * Has the next deliveries fail in a way, or all from now on.
   * `hold` keeps them until another order is given; `reverse` sends the newest first, one after the other.
   */
  order(mode: DeliveryMode, next = Infinity): void {
    this.#ordered = { mode, left: next };
    this.#held.clear();
  }

  /** The merchant listens from here on. */
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

  /** Begins every attempt whose time has come. Call it after what is to be told is on the disk. */
  sendDue(): void {
    const isReversed = this.mode === 'reverse';
    const ids = this.#provider.store.pendingDeliveryIds();
    for (const id of isReversed ? ids.toReversed() : ids) {
      if (this.#underWay.size >= (isReversed ? 1 : maxAtOnce)) return;
      this.#beginIfDue(id);
    }
  }

  /**
   * Has an event that somebody waits for sent before others. Resolves when the merchant has taken it, when nobody is
   * about to send it, and after the time limit anyway.
   */
  async sendNow(eventId: string, timeoutMs: number): Promise<void> {
    if (this.mode === 'reverse') this.sendDue();
    else this.#beginIfDue(eventId);
    const end = performance.now() + timeoutMs;
    while (this.#isOnItsWay(eventId) && performance.now() < end) await pause(lookEveryMs);
  }

  /** Gives up what is under way; it is sent again after the next start. */
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

  /** Whether it has not arrived and is to be sent, now or later. */
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

  /** What the merchant hears of must not be taken back any more. */
  async #isOnDisk(id: string): Promise<boolean> {
    const { store } = this.#provider;
    await store.synced().catch(() => undefined);
    return store.find('deliveries', id) !== undefined;
  }

  /** Tried until it is on the disk: what arrived is not to be sent again and again while the disk is full. */
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

  /** What happens to the delivery that begins now. */
  #takeMode(): DeliveryMode {
    const { mode } = this.#ordered;
    this.#useUp();
    return mode;
  }

  #useUp(): void {
    this.#ordered.left -= 1;
    if (this.#ordered.left <= 0) this.#ordered = { mode: 'normal', left: Infinity };
  }

  /** @returns the HTTP status, or null when nobody answered */
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
      return null; // nobody listens, or not in time: the next attempt is the answer to that
    }
  }

  /** With a signature for each secret: the merchant may know only one of them yet. */
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
