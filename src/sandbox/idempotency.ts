/**
 * One answer per idempotency key. A key belongs to the account (there is one), applies to POST only, and is kept for
 * 24 hours by the provider's clock.
 *
 * The answer is written in the transaction that did the work, so after a crash there are both or neither. A call that
 * was refused (a wrong parameter, a conflict) does not use up its key. A failure after the start is kept as the answer.
 */
import { createHash } from 'node:crypto';
import { ApiError } from './apiError';
import type { Clock } from './clock';
import { decodeForm, type Form } from './form';
import type { KeptAnswer } from './records';
import type { Store } from './store';

const keptForSeconds = 24 * 60 * 60;
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
   * Begins a call under its key, or finds the answer that the key already has.
   * @param fingerprint identifies the call's content, see `fingerprintOf`
   * @throws ApiError 400 for a key that is too long or was used for another call, 409 while its first call is running
   */
  begin(key: string, fingerprint: string): KeptAnswer | undefined {
    if (key.length > maxKeyLength) {
      const message = `Idempotency keys may only be up to ${maxKeyLength} characters in length.`;
      throw new ApiError(400, message, { type: 'idempotency_error' });
    }
    if (this.#inFlight.has(key)) {
      const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
      const code = 'idempotency_key_in_use';
      throw new ApiError(409, message, { type: 'idempotency_error', code, shouldRetry: true });
    }
    const kept = this.#store.find('keys', key);
    const isFresh = kept && kept.created > this.#clock.seconds() - keptForSeconds;
    if (isFresh && kept.fingerprint !== fingerprint) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
      throw new ApiError(400, message, { type: 'idempotency_error' });
    }
    if (isFresh) return kept;
    this.#inFlight.add(key);
    return undefined;
  }

  /** Keeps the key's answer, within the transaction that did the work. */
  keep(key: string, fingerprint: string, requestId: string, status: number, body: string): void {
    const created = this.#clock.seconds();
    this.#store.drop('keys', key); // an expired one, so that the keys stay in order of time, as `prune` needs them
    this.#store.put('keys', { id: key, created, fingerprint, requestId, status, body });
  }

  /** Unlocks the key: the answer was sent, or the caller is gone. */
  end(key: string): void {
    this.#inFlight.delete(key);
  }

  /** Forgets keys older than 24 hours. */
  prune(): void {
    const oldest = this.#clock.seconds() - keptForSeconds;
    this.#store.transact(() => {
      for (const kept of this.#store.all('keys')) {
        if (kept.created > oldest) return; // keys are in order of time
        this.#store.drop('keys', kept.id);
      }
    });
  }
}

/** Equal for two calls with the same content, whatever the order of their parameters. */
export function fingerprintOf(method: string, path: string, body: string): string {
  const asked = JSON.stringify([method, path, sorted(decodeForm(body))]);
  return createHash('sha256').update(asked).digest('hex');
}

function sorted(form: Form): unknown[] {
  const names = Object.keys(form).sort();
  return names.map((name) => {
    const value = form[name]!;
    return [name, typeof value === 'string' ? value : sorted(value)];
  });
}
