import type { QueryClient } from '@tanstack/react-query';
import { type LiveData, type OwnChange, ownChanges } from '../../shared/live';
import { throttle } from '../browser/throttle';
import { retryAfterMs } from '../browser/backoff';
import { listen, stopAll } from '../browser/listen';
import { createEvent, createStore } from '../browser/store';
import { accessToken } from './accessToken';
import { renewSession } from './client';
import { personalKey, refetchAll } from './queries';
import { reachability } from './reachability';
import { session, whenUserChanges } from './session';

/**
 * Changes by other devices, within moments: the server's event stream names what to read again and carries no data. A
 * tab that becomes visible or reconnects reads everything again. Rule: docs/rules/wire.md, Live events
 *
 * The listeners below are also called when something may have changed while the stream was closed; each subscription
 * returns a function that unsubscribes.
 */
const hello = createEvent();
const catalogChanged = createEvent();
const ownOrdersChanged = createEvent();
const anyOrderChanged = createEvent<[LiveData['admin-orders']]>();

/** Calls `listener` whenever the server starts a stream, for whichever user: the shop is reachable. */
export const onHello = hello.subscribe;
export const whenCatalogChanges = catalogChanged.subscribe;
export const whenOwnOrdersChange = ownOrdersChanged.subscribe;
/** For staff: calls `listener` when any order changed, with whether one was just paid, and which. */
export const whenAnyOrderChanges = anyOrderChanged.subscribe;

/** Whether the stream stays open, or is reopened, while the tab is hidden. */
export const streamWhileHidden = createStore(false);

/**
 * Listens to the server.
 * @param rested resolves when nothing is being sent, or soon after: most events during sending are this device's own
 * changes
 */
export const followChanges = (cache: QueryClient, rested: () => Promise<void>): (() => void) =>
  typeof EventSource === 'undefined' ? () => undefined : new LiveStream(cache, rested).start();

const closeAfterHiddenMs = 30_000;
const maxRenewals = 3;
/** Counting a shelf on another device causes about forty changes within a second or two. */
const minReadIntervalMs = 250;

/**
 * The stream's connection. It is open while the tab is visible; a tab hidden for long closes it, because browsers open
 * only six connections to a shop over HTTP/1.1. A broken stream is reopened after a delay; a stream that started as a
 * visitor's, because the access token had expired, is reopened with a new token.
 */
class LiveStream {
  readonly #readings: ReadonlyMap<OwnChange, ReturnType<typeof throttle>>;
  #stream: EventSource | undefined;
  #failures = 0;
  /** Whether a stream was open before: events may have been missed since. */
  #wasOpen = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #hide: ReturnType<typeof setTimeout> | undefined;

  constructor(cache: QueryClient, rested: () => Promise<void>) {
    const pending = new Set<OwnChange>();
    const refetch = async (what: OwnChange) => {
      if (pending.has(what)) return;
      pending.add(what);
      await rested().catch(() => undefined); // a chunk failed to load: then nothing is being sent
      pending.delete(what);
      const userId = session.get()?.id;
      if (userId !== undefined) refetchAll(cache, [...personalKey(userId), what]);
    };
    this.#readings = new Map(ownChanges.map((what) => [what, throttle(minReadIntervalMs, () => void refetch(what))]));
  }

  start(): () => void {
    void this.#open();
    return stopAll(
      whenUserChanges(() => {
        this.#failures = 0;
        void this.#open();
      }),
      reachability.subscribe(() => reachability.isOnline() && this.#openIfClosed()),
      streamWhileHidden.subscribe(() => streamWhileHidden.get() && this.#openIfClosed()),
      listen(document, 'visibilitychange', () => this.#followVisibility()),
      () => clearTimeout(this.#hide),
      () => this.#readings.forEach(({ stop }) => stop()),
      () => this.#close(),
    );
  }

  #openIfClosed(): void {
    if (!this.#stream) void this.#open();
  }

  async #open(): Promise<void> {
    this.#close();
    if (document.visibilityState === 'hidden' && !streamWhileHidden.get()) return;
    // a pending logout must be sent before anything with the cookie
    if (!(await reachability.probe())) return this.#reopenLater();
    this.#close(); // another call may have opened one meanwhile
    const carried = { token: accessToken.get() }; // as a cookie
    const stream = new EventSource('/api/public/events', { withCredentials: true });
    this.#stream = stream;
    const on = <Name extends keyof LiveData>(name: Name, notify: (data: LiveData[Name]) => void) =>
      listen(stream, name, ({ data }: MessageEvent<string>) => notify(JSON.parse(data) as LiveData[Name]));
    on('hello', ({ userId }) => this.#onHello(userId, carried));
    on('catalog', () => catalogChanged.notify());
    for (const [what, { request }] of this.#readings) on(what, request);
    on('orders', () => ownOrdersChanged.notify());
    on('admin-orders', anyOrderChanged.notify);
    listen(stream, 'error', () => this.#reopenLater());
  }

  #onHello(userId: string | null, carried: { token: string | undefined }): void {
    reachability.noteAnswer();
    hello.notify();
    // the access cookie lives 15 minutes; a stream opened after that gets no events of the user
    const user = session.get();
    if (user && userId !== user.id) return this.#renew(carried);
    this.#failures = 0;
    for (const { request } of this.#readings.values()) request(); // data may have changed between the page's read and this
    anyOrderChanged.notify({ isPaid: false, paidOrderIds: [] });
    if (this.#wasOpen) {
      catalogChanged.notify();
      ownOrdersChanged.notify();
    }
    this.#wasOpen = true;
  }

  #renew(carried: { token: string | undefined }): void {
    this.#failures += 1;
    if (this.#failures > maxRenewals) return;
    const [open, reopenLater] = [() => this.#open(), () => this.#reopenLater()];
    void renewSession(carried).then(open, reopenLater);
  }

  #reopenLater(): void {
    this.#close();
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.#open(), retryAfterMs(this.#failures));
  }

  #close(): void {
    clearTimeout(this.#retry);
    this.#stream?.close();
    this.#stream = undefined;
  }

  #followVisibility(): void {
    clearTimeout(this.#hide);
    if (document.visibilityState !== 'hidden') return this.#openIfClosed();
    this.#hide = setTimeout(() => streamWhileHidden.get() || this.#close(), closeAfterHiddenMs);
  }
}
