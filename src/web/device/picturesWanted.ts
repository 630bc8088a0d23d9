import { picturesWantedKey } from '../../shared/deviceNames';
import { listen, stopAll } from '../browser/listen';
import { metered } from '../browser/metered';
import { readText, writeText } from '../browser/storage';
import { createStore } from '../browser/store';

/**
 * Whether pictures are fetched for offline on a metered connection too: only when somebody asked for it. The choice is
 * about the device, whoever is signed in. Rule: docs/rules/offline.md, Saving data
 */
const isStored = () => readText(picturesWantedKey) === 'yes';
const wanted = createStore(isStored());

export const picturesWanted = {
  get: wanted.get,

  set(isWanted: boolean): void {
    writeText(picturesWantedKey, isWanted ? 'yes' : 'no');
    wanted.set(isWanted);
  },

  /** Another tab's choice counts here too. @returns how to stop listening */
  subscribe: (listener: () => void): (() => void) =>
    stopAll(
      wanted.subscribe(listener),
      listen(window, 'storage', ({ key }: StorageEvent) => key === picturesWantedKey && wanted.set(isStored())),
    ),
};

export const mayFetchPictures = (): boolean => !metered.get() || wanted.get();

/** Calls `listener` when pictures may be fetched from now on, or no longer. @returns how to stop listening */
export const whenFetchingChanges = (listener: () => void): (() => void) =>
  stopAll(metered.subscribe(listener), picturesWanted.subscribe(listener));

/** Pictures that are to be on this device and are not. */
export interface MissingPictures {
  count: number;
  /** No picture of a product is here. */
  isAll: boolean;
  /** How large the files are that would be fetched; undefined where the shop has not said it of each. */
  bytes: number | undefined;
}

export const missingPictures = createStore<MissingPictures | undefined>(undefined);
