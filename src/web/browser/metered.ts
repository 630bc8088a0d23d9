import { reducedData, savesData } from './dataUse';
import { listen, stopAll } from './listen';

/**
 * Whether the connection is metered, so that each byte may cost: data is saved, it is a phone's own, or it is so slow that
 * the page needs all of it. Where the browser says nothing of its connection, it counts as not metered.
 */
export const metered = {
  get(): boolean {
    const { type, effectiveType = '' } = navigator.connection ?? {};
    return savesData() || type === 'cellular' || ['slow-2g', '2g'].includes(effectiveType);
  },

  /** @returns how to stop listening */
  subscribe(listener: () => void): () => void {
    const heard = navigator.connection instanceof EventTarget ? navigator.connection : undefined;
    return stopAll(listen(heard, 'change', listener), listen(matchMedia(reducedData), 'change', listener));
  },
};
