import { picturesWantedKey } from '../../shared/deviceNames';
import { listen, stopAll } from '../browser/listen';
import { metered } from '../browser/metered';
import { readText, writeText } from '../browser/storage';
import { createStore } from '../browser/store';

/**
 * Whether pictures are fetched for offline use on metered connections too: only if a user asked for it. The choice
 * belongs to the device, not to a user. Rule: docs/rules/offline.md, Saving data
 */
const isStored = () => readText(picturesWantedKey) === 'yes';
const wanted = createStore(isStored());

export const picturesWanted = {
  get: wanted.get,

  set(isWanted: boolean): void {
    writeText(picturesWantedKey, isWanted ? 'yes' : 'no');
    wanted.set(isWanted);
  },

  /** Includes choices made in other tabs. @returns a function that unsubscribes */
  subscribe: (listener: () => void): (() => void) =>
    stopAll(
      wanted.subscribe(listener),
      listen(window, 'storage', ({ key }: StorageEvent) => key === picturesWantedKey && wanted.set(isStored())),
    ),
};

export const mayFetchPictures = (): boolean => !metered.get() || wanted.get();

/** Calls `listener` when fetching pictures becomes allowed or disallowed. @returns a function that unsubscribes */
export const whenFetchingChanges = (listener: () => void): (() => void) =>
  stopAll(metered.subscribe(listener), picturesWanted.subscribe(listener));

/** Pictures that should be on this device but aren't. */
export interface MissingPictures {
  count: number;
  /** No product picture is saved. */
  isAll: boolean;
  /** The total download size; undefined where the size of any of them is unknown. */
  bytes: number | undefined;
}

export const missingPictures = createStore<MissingPictures | undefined>(undefined);
