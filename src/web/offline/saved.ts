/**
 * Whether the shop is on this device: the catalog, a picture of every product, and a service worker that has the app.
 * Each part tells when it is done. What was saved is remembered beside it, so that it is known at the next start without
 * a connection too, where the catalog proves that it is there still (keepShop.ts).
 */
import { useSyncExternalStore } from 'react';

export type SavedPart = 'catalog' | 'pictures' | 'worker';

const parts: readonly SavedPart[] = ['catalog', 'pictures', 'worker'];
const rememberedKey = 'saved';
const done = new Set<SavedPart>();
const listeners = new Set<() => void>();
let waiting: { part: SavedPart; resolve: () => void }[] = [];

export const saved = {
  /** @param isDone false when the part turns out to be missing again, such as the picture of a new product */
  set(part: SavedPart, isDone: boolean): void {
    if (done.has(part) === isDone) return;
    if (isDone) done.add(part);
    else done.delete(part);
    if (isDone) {
      for (const { resolve } of waiting.filter((each) => each.part === part)) resolve();
      waiting = waiting.filter((each) => each.part !== part);
    }
    remember();
    for (const notify of listeners) notify();
  },

  has: (part: SavedPart): boolean => done.has(part),

  /** Fulfilled once the part is there; where it never will be, never. */
  when: (part: SavedPart): Promise<void> =>
    done.has(part) ? Promise.resolve() : new Promise((resolve) => waiting.push({ part, resolve })),

  isComplete: (): boolean => parts.every((part) => done.has(part)),

  /** @returns how to stop listening */
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** @returns whether the whole shop is on this device; false in a page that the server drew, until the browser knows */
export const useSaved = (): boolean => useSyncExternalStore(saved.subscribe, saved.isComplete, () => false);

/** What an earlier visit saved counts as here; the worker is asked each time (serviceWorker.ts). */
export function recallSaved(): void {
  for (const part of storedParts()) saved.set(part, true);
}

const rememberedParts: readonly SavedPart[] = ['catalog', 'pictures'];

function remember(): void {
  const there = rememberedParts.filter((part) => done.has(part)).join(' ');
  attempt(() => localStorage.getItem(rememberedKey) === there || localStorage.setItem(rememberedKey, there));
}

function storedParts(): readonly SavedPart[] {
  const stored = attempt(() => localStorage.getItem(rememberedKey)) ?? '';
  return rememberedParts.filter((part) => stored.split(' ').includes(part));
}

/** A browser that keeps nothing says so by throwing. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
