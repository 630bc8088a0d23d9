/**
 * One response per idempotency key. A key belongs to the account (there is one), applies to POST only, and is stored for
 * 24 hours by the provider's clock.
 *
 * The response is written in the transaction that did the work, so after a crash both exist or neither. A rejected call
 * (a wrong parameter, a conflict) does not use up its key. A failure after the start is stored as the response.
 */
import { createHash } from 'node:crypto';
import { ApiError } from './apiError';
import type { Clock } from './clock';
import { decodeForm, type Form } from './form';
import type { StoredResponse } from './records';
import type { Store } from './store';

const retentionSeconds = 24 * 60 * 60;
const maxKeyLength = 255;

export class IdempotencyKeys {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #inFlight = new Set<string>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Starts a call under its key, or finds the response stored under it.
   * @param fingerprint identifies the call's content, see `fingerprintOf`
   * @throws ApiError 400 for a key that is too long or was used for another call, 409 while its first call is in flight
   */
  begin(key: string, fingerprint: string): StoredResponse | undefined {
    if (key.length > maxKeyLength) {
      const message = `Idempotency keys may only be up to ${maxKeyLength} characters in length.`;
      throw new ApiError(400, message, { type: 'idempotency_error' });
    }
    if (this.#inFlight.has(key)) {
      const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
      const code = 'idempotency_key_in_use';
      throw new ApiError(409, message, { type: 'idempotency_error', code, shouldRetry: true });
    }
    const stored = this.#store.find('keys', key);
    const isFresh = stored && stored.created > this.#clock.seconds() - retentionSeconds;
    if (isFresh && stored.fingerprint !== fingerprint) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
      throw new ApiError(400, message, { type: 'idempotency_error' });
    }
    if (isFresh) return stored;
    this.#inFlight.add(key);
    return undefined;
  }

  /** Stores the key's response, within the transaction that did the work. */
  save(key: string, fingerprint: string, requestId: string, status: number, body: string): void {
    const created = this.#clock.seconds();
    this.#store.drop('keys', key); // drops an expired one, so that the keys stay sorted by time for `prune`
    this.#store.put('keys', { id: key, created, fingerprint, requestId, status, body });
  }

  /** Unlocks the key: the response was sent, or the client is gone. */
  end(key: string): void {
    this.#inFlight.delete(key);
  }

  /** Deletes keys older than 24 hours. */
  prune(): void {
    const oldest = this.#clock.seconds() - retentionSeconds;
    this.#store.transact(() => {
      for (const stored of this.#store.all('keys')) {
        if (stored.created > oldest) return; // keys are sorted by time
        this.#store.drop('keys', stored.id);
      }
    });
  }
}

/** Equal for calls with the same content, regardless of parameter order. */
export function fingerprintOf(method: string, path: string, body: string): string {
  const content = JSON.stringify([method, path, sorted(decodeForm(body))]);
  return createHash('sha256').update(content).digest('hex');
}

function sorted(form: Form): unknown[] {
  const names = Object.keys(form).sort();
  return names.map((name) => {
    const value = form[name]!;
    return [name, typeof value === 'string' ? value : sorted(value)];
  });
}
