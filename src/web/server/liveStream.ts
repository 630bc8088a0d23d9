import { hiddenBackOfficeLock } from '../../shared/deviceNames';
import type { LiveData } from '../../shared/live';
import { retryAfterMs } from '../browser/backoff';
import { listen, stopAll } from '../browser/listen';
import { withLock } from '../browser/locks';
import { renewSession } from './client';
import { reachability } from './reachability';
import { session } from './session';

/** Who hears what the stream says. */
interface Hearer {
  /** Whether somebody wants to hear it while the tab is hidden. */
  isHeardWhileHidden: () => boolean;
  /** The server began the stream, whomever it takes this device for. */
  greeted: () => void;
  /** The stream is open, and knows the user. @param isAgain whether something may have been missed */
  opened: (isAgain: boolean) => void;
  events: { [Name in Exclude<keyof LiveData, 'hello'>]: (data: LiveData[Name]) => void };
}

const closedAfterHiddenMs = 30_000;
const mostRenewals = 3;

/**
 * The connection of the stream. It is open while the tab is visible; a tab that is hidden for long closes it, since a
 * browser opens only six connections to a shop over HTTP/1.1. Of all hidden back offices, the one that holds the lock
 * keeps its stream, for the sound of a new order. A broken stream is opened again after a pause; a stream that began
 * for a visitor, because the access token had expired, is opened again with a new token.
 */
export class LiveStream {
  readonly #hearer: Hearer;
  #stream: EventSource | undefined;
  #userId = session.get()?.id;
  #failures = 0;
  #wasOpen = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #hide: ReturnType<typeof setTimeout> | undefined;
  /** The turn of this hidden tab, which it waits for or has. */
  #watch = new AbortController();
  #isWatching = false;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
  }

  /** @returns how to stop */
  start(): () => void {
    const stopListening = stopAll(
      session.subscribe(() => this.#followUser()),
      reachability.subscribe(() => reachability.isOnline() && this.#openIfClosed()),
      listen(document, 'visibilitychange', () => this.#followVisibility()),
    );
    void this.#open();
    return () => {
      stopListening();
      clearTimeout(this.#hide);
      this.#watch.abort();
      this.#close();
    };
  }

  #openIfClosed(): void {
    if (!this.#stream) void this.#open();
  }

  async #open(): Promise<void> {
    this.#close();
    if (document.visibilityState === 'hidden' && !this.#isWatching) return;
    // a logout that is owed goes before anything that carries the cookie
    if (!(await reachability.probe())) return this.#reopenLater();
    this.#close(); // another call may have opened one meanwhile
    const stream = new EventSource('/api/public/events', { withCredentials: true });
    this.#stream = stream;
    const hear = <Name extends keyof LiveData>(name: Name, tell: (data: LiveData[Name]) => void) =>
      listen(stream, name, ({ data }: MessageEvent<string>) => tell(JSON.parse(data) as LiveData[Name]));
    const { events } = this.#hearer;
    hear('hello', ({ userId }) => this.#greet(userId));
    hear('catalog', events.catalog);
    hear('cart', events.cart);
    hear('orders', events.orders);
    hear('admin-orders', events['admin-orders']);
    listen(stream, 'error', () => this.#reopenLater());
  }

  #greet(userId: string | null): void {
    reachability.sawAnswer();
    this.#hearer.greeted();
    // the access cookie lives 15 minutes: a stream that opens after that hears nothing of the user's
    if (this.#userId !== undefined && userId !== this.#userId) return this.#renew();
    this.#failures = 0;
    this.#hearer.opened(this.#wasOpen);
    this.#wasOpen = true;
  }

  #renew(): void {
    this.#failures += 1;
    if (this.#failures > mostRenewals) return;
    const [open, reopenLater] = [() => this.#open(), () => this.#reopenLater()];
    void renewSession().then(open, reopenLater);
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
    this.#watch.abort();
    if (document.visibilityState !== 'hidden') return this.#openIfClosed();
    this.#hide = setTimeout(() => this.#isWatching || this.#close(), closedAfterHiddenMs);
    if (this.#hearer.isHeardWhileHidden()) this.#watchInTurn();
  }

  #watchInTurn(): void {
    const { signal } = (this.#watch = new AbortController());
    const watch = () =>
      new Promise<void>((done) => {
        this.#isWatching = true;
        listen(signal, 'abort', () => {
          this.#isWatching = false;
          done();
        });
        this.#openIfClosed();
      });
    // where it is looked at before its turn comes, nothing has to be done
    void withLock(hiddenBackOfficeLock, watch, signal).catch(() => undefined);
  }

  #followUser(): void {
    if (session.get()?.id === this.#userId) return;
    this.#userId = session.get()?.id;
    this.#failures = 0;
    void this.#open();
  }
}
