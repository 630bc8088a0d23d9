import { savedPartsKey } from '../../shared/deviceNames';
import { readText, writeText } from '../browser/storage';
import { createStore, useStore } from '../browser/store';
import { metered } from '../browser/metered';
import { missingPictures, picturesWanted } from './picturesWanted';

/**
 * Whether the shop is saved on this device: the catalog, a picture of every product, and a service worker with the app.
 * Each part reports when it is done. The result is stored too, so that it is known at the next offline start, if the
 * catalog's presence confirms it (saveShop.ts).
 */
const parts = ['catalog', 'pictures', 'worker'] as const;
type SavedPart = (typeof parts)[number];
const remembered = parts.filter((part) => part !== 'worker'); // its state is queried each time (serviceWorker.ts)
const done = createStore<readonly SavedPart[]>([]);

export const saved = {
  /** @param isDone false when the part is incomplete again, for example when a new product's picture is missing */
  set(part: SavedPart, isDone: boolean): void {
    if (saved.has(part) === isDone) return;
    done.set(parts.filter((each) => (each === part ? isDone : saved.has(each))));
    const there = remembered.filter(saved.has).join(' ');
    if (readText(savedPartsKey) !== there) writeText(savedPartsKey, there);
  },

  has: (part: SavedPart): boolean => done.get().includes(part),

  /** Resolves once the part is saved; otherwise never. */
  async when(part: SavedPart): Promise<void> {
    while (!saved.has(part)) await new Promise<void>((resolve) => void done.subscribe(resolve));
  },

  isComplete: (): boolean => parts.every(saved.has),

  /** The shop opens offline, with or without its pictures. */
  opensOffline: (): boolean => saved.has('catalog') && saved.has('worker'),

  /** Counts what an earlier visit saved as present. */
  recall(): void {
    const stored = readText(savedPartsKey)?.split(' ');
    for (const part of remembered) if (stored?.includes(part)) saved.set(part, true);
  },
};

/** @returns the state to show; on a server-rendered page all values are false until hydration */
export const useSaved = () => ({
  isComplete: useStore({ get: saved.isComplete, subscribe: done.subscribe }, false),
  opensOffline: useStore({ get: saved.opensOffline, subscribe: done.subscribe }, false),
  missing: useStore(missingPictures, undefined),
  isMetered: useStore(metered, false),
  isWanted: useStore(picturesWanted, false),
});
