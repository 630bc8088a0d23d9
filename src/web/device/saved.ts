import { savedPartsKey } from '../../shared/deviceNames';
import { readText, writeText } from '../browser/storage';
import { createStore, useStore } from '../browser/store';
import { metered } from '../browser/metered';
import { missingPictures, picturesWanted } from './picturesWanted';

/**
 * Whether the shop is on this device: the catalog, a picture of every product, and a service worker that has the app.
 * Each part tells when it is done. What was saved is remembered beside it, so that it is known at the next start without
 * a connection too, where the catalog proves that it is there still (keepShop.ts).
 */
const parts = ['catalog', 'pictures', 'worker'] as const;
type SavedPart = (typeof parts)[number];
const remembered = parts.filter((part) => part !== 'worker'); // which is asked each time (serviceWorker.ts)
const done = createStore<readonly SavedPart[]>([]);

export const saved = {
  /** @param isDone false when the part turns out to be missing again, such as the picture of a new product */
  set(part: SavedPart, isDone: boolean): void {
    if (saved.has(part) === isDone) return;
    done.set(parts.filter((each) => (each === part ? isDone : saved.has(each))));
    const there = remembered.filter(saved.has).join(' ');
    if (readText(savedPartsKey) !== there) writeText(savedPartsKey, there);
  },

  has: (part: SavedPart): boolean => done.get().includes(part),

  /** Resolves once the part is there; never, where it cannot be. */
  async when(part: SavedPart): Promise<void> {
    while (!saved.has(part)) await new Promise<void>((resolve) => void done.subscribe(resolve));
  },

  isComplete: (): boolean => parts.every(saved.has),

  /** The shop opens without a connection, with its pictures or without. */
  opensOffline: (): boolean => saved.has('catalog') && saved.has('worker'),

  /** What an earlier visit saved counts as here. */
  recall(): void {
    const stored = readText(savedPartsKey)?.split(' ');
    for (const part of remembered) if (stored?.includes(part)) saved.set(part, true);
  },
};

/** @returns what a person can be told of it; in a page that the server drew all of it is false, until the browser knows */
export const useSaved = () => ({
  isComplete: useStore({ get: saved.isComplete, subscribe: done.subscribe }, false),
  opensOffline: useStore({ get: saved.opensOffline, subscribe: done.subscribe }, false),
  missing: useStore(missingPictures, undefined),
  isMetered: useStore(metered, false),
  isWanted: useStore(picturesWanted, false),
});
