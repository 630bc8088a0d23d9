/**
 * Tells the merchant what happened: each event is posted, signed, until a 2xx comes back.
 *
 * Deliveries are records, so they go on after a restart. They are sent next to each other (their order is not kept),
 * and one that was under way in a crash is sent again: the merchant must expect an event twice.
 */
import { createHmac } from 'node:crypto';
import { presentEvent } from './events';
import type { Provider } from './provider';
import type { Delivery } from './records';

export const deliveryModes = ['normal', 'hold', 'drop', 'duplicate', 'corrupt', 'old'] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const attemptsAtMs = [0, 5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
for (let atMs = 22 * hour; atMs <= 72 * hour; atMs += 12 * hour) attemptsAtMs.push(atMs);

const attemptTimeoutMs = 20 * second;
const maxAtOnce = 32;

export class Webhooks {
  /** What tests want to happen to deliveries. */
  mode: DeliveryMode = 'normal';
  url: string | undefined;
  readonly #provider: Provider;
  readonly #secret: string;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(provider: Provider, secret: string, url: string | undefined) {
    this.#provider = provider;
    this.#secret = secret;
    this.url = url;
  }

  /** Begins every attempt whose time has come. Call it after what is to be told is on the disk. */
  sendDue(): void {
    for (const id of this.#provider.store.pendingDeliveryIds()) {
      if (this.#underWay.size >= maxAtOnce) return;
      this.#beginIfDue(id);
    }
  }

  /**
   * Has an event that somebody waits for sent before others. Resolves when its attempt is over (at once if it needs
   * none), and after the time limit anyway.
   */
  async sendNow(eventId: string, timeoutMs: number): Promise<void> {
    this.#beginIfDue(eventId);
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.#underWay.get(eventId), timeUp]);
    clearTimeout(timer);
  }

  /** Gives up what is under way; it is sent again after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#underWay.values());
  }

  #beginIfDue(id: string): void {
    if (!this.url || this.mode === 'hold' || this.#closing.signal.aborted || this.#underWay.has(id)) return;
    const { store, clock } = this.#provider;
    const delivery = store.find('deliveries', id);
    if (delivery?.state !== 'pending' || delivery.nextAttemptMs > clock.nowMs()) return;
    this.#underWay.set(id, this.#attempt(id, this.url));
  }

  async #attempt(id: string, url: string): Promise<void> {
    const { store, clock } = this.#provider;
    const posts = [this.#post(id, url)];
    if (this.mode === 'duplicate') posts.push(this.#post(id, url));
    const [status = null] = await Promise.all(posts);
    this.#underWay.delete(id);
    if (this.#closing.signal.aborted) return;
    const delivery = store.require('deliveries', id);
    store.transact(() => store.put('deliveries', afterAttempt(delivery, status, clock.nowMs())));
    this.sendDue();
  }

  /** @returns the HTTP status, or null when nobody answered */
  async #post(id: string, url: string): Promise<number | null> {
    if (this.mode === 'drop') return null;
    const { store } = this.#provider;
    const body = JSON.stringify(presentEvent(this.#provider, store.require('events', id)));
    try {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Stripe-Signature': this.#sign(body),
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

  #sign(body: string): string {
    const t = this.#provider.clock.seconds() - (this.mode === 'old' ? 301 : 0);
    const signed = this.mode === 'corrupt' ? `${body} ` : body;
    return `t=${t},v1=${createHmac('sha256', this.#secret).update(`${t}.${signed}`).digest('hex')}`;
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
