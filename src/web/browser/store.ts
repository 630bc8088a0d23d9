import { useSyncExternalStore } from 'react';

/** An event with listeners, which are called in the order in which they subscribed. */
export function createEvent<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>();
  return {
    /** @returns a function that unsubscribes */
    subscribe: (listener: (...args: Args) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (...args: Args): void => listeners.forEach((listener) => listener(...args)),
  };
}

/** An observable value: listeners are notified when it changes. */
export function createStore<Value>(first: Value) {
  let value = first;
  const { subscribe, notify } = createEvent();
  return {
    get: (): Value => value,
    set(next: Value): void {
      if (Object.is(next, value)) return;
      value = next;
      notify();
    },
    subscribe,
  };
}

type Readable<Value> = Pick<ReturnType<typeof createStore<Value>>, 'get' | 'subscribe'>;

/** @param onServer the value during server rendering and hydration */
export const useStore = <Value>({ subscribe, get }: Readable<Value>, onServer: Value): Value =>
  useSyncExternalStore(subscribe, get, () => onServer);
