import { useSyncExternalStore } from 'react';

/** Something that happens, and whoever listens to it. Listeners are called in the order in which they came. */
export function createEvent<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>();
  return {
    /** @returns how to stop listening */
    subscribe: (listener: (...args: Args) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (...args: Args): void => listeners.forEach((listener) => listener(...args)),
  };
}

/** A value that others follow: its listeners are told when it is another one. */
export function createStore<Value>(first: Value) {
  let value = first;
  const { subscribe, tell } = createEvent();
  return {
    get: (): Value => value,
    set(next: Value): void {
      if (Object.is(next, value)) return;
      value = next;
      tell();
    },
    subscribe,
  };
}

type Followed<Value> = Pick<ReturnType<typeof createStore<Value>>, 'get' | 'subscribe'>;

/** @param onServer the value in a page that the server drew, until the browser has taken it over */
export const useStore = <Value>({ subscribe, get }: Followed<Value>, onServer: Value): Value =>
  useSyncExternalStore(subscribe, get, () => onServer);
