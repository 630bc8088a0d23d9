import { reducedData, savesData } from './dataUse';
import { listen, stopAll } from './listen';

/**
 * Whether the connection is metered, so that data may cost money: data saver is on, it is cellular, or it is so slow
 * that the page needs all of it. Where the browser doesn't report its connection, it counts as not metered.
 */
export const metered = {
  get(): boolean {
    const { type, effectiveType = '' } = navigator.connection ?? {};
    return savesData() || type === 'cellular' || ['slow-2g', '2g'].includes(effectiveType);
  },

  /** @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void {
    const connection = navigator.connection instanceof EventTarget ? navigator.connection : undefined;
    return stopAll(listen(connection, 'change', listener), listen(matchMedia(reducedData), 'change', listener));
  },
};
