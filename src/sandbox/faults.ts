/** Faults that tests request for the API's next responses. */
export const faultKinds = [
  '400',
  '500',
  '429',
  '409',
  '503',
  'reset_before',
  'reset_after',
  'drip',
  'bad_json',
  'hold',
] as const;
export type Fault = (typeof faultKinds)[number];

type Order = { kind: Fault; left: number; on: string };

export class Faults {
  #orders: Order[] = [];
  readonly #held = new Set<() => void>();

  /**
   * Requests a fault for the next calls.
   * @param on which calls, e.g. `POST /v1/checkout/sessions`; a trailing star matches any ending
   */
  order(kind: Fault, next: number, on: string): void {
    this.#orders.push({ kind, left: next, on });
  }

  /** Takes the fault requested for this call, if any. */
  take(method: string, path: string): Fault | undefined {
    const order = this.#orders.find(({ on }) => matches(on, `${method} ${path}`));
    if (!order) return undefined;
    order.left -= 1;
    this.#orders = this.#orders.filter(({ left }) => left > 0);
    return order.kind;
  }

  /** Waits until held responses are released, or until `gone` aborts. */
  async hold(gone: AbortSignal): Promise<void> {
    if (gone.aborted) return;
    await new Promise<void>((resolve) => {
      const release = () => {
        this.#held.delete(release);
        resolve();
      };
      this.#held.add(release);
      gone.addEventListener('abort', release, { once: true });
    });
  }

  /** Releases held responses, and cancels requested holds. @returns how many responses were held */
  release(): number {
    const count = this.#held.size;
    this.#orders = this.#orders.filter(({ kind }) => kind !== 'hold');
    for (const release of this.#held) release();
    return count;
  }

  heldCount = (): number => this.#held.size;
}

function matches(on: string, call: string): boolean {
  return on.endsWith('*') ? call.startsWith(on.slice(0, -1)) : call === on;
}
